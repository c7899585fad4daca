//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// What a program asks of the world by package testing/sim, which repeats the numbers.

const (
	askAdd       = iota // a machine with the name
	askStart            // its process: program, number of variables, these, arguments
	askStop             // by an Order
	askSignal           // for its process
	askAwait            // the end of its process
	askState            // cluster.State
	askPartition        // names
	askCut              // two names
	askJoin             // two names
	askHeal             // all
	askNetwork          // number of the setting, value
	askDisk             // number of the setting, value
	askClock            // nanoseconds more
	askSelf             // the machine's number
)

// callAsk is a system call that no system has.
const callAsk = 1 << 20

// Errors of Ask, negative.
const (
	noWorld    = 1000 + iota // there is one machine
	notAllowed               // only the scenario may
	badName
	tooMany
	wrongState
	tooLong
)

// Ask does what the program asks for. Lists in text have a zero byte after each element. Goroutine
// stack.
func Ask(op, machine int, value int64, text string) int64 {
	r, _, errno := Syscall6(callAsk, uintptr(op), uintptr(machine), uintptr(value),
		uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(len(text)), 0)
	if errno != 0 {
		return -int64(errno)
	}
	return int64(r)
}

func (c *call) ask() uintptr {
	op, k, value := int(c.a1), int(c.a2), int64(c.a3)
	text := unsafe.String((*byte)(sys.Ptr(c.a4)), int(c.a5))
	switch op {
	case askPartition:
		return partition(text)
	case askCut, askJoin:
		return cutNamed(text, op == askCut)
	case askHeal:
		if others != nil {
			others.Heal()
		}
		cuts.n, cuts.grouped, cuts.groups = 0, 0, 0
		return 0
	case askNetwork:
		return setNetwork(k, uint64(value))
	case askDisk:
		return setDisk(k, int(value>>48), uint64(value)&(1<<48-1))
	case askClock:
		return setClock(k, value)
	}
	switch {
	case others == nil:
		simulation.Lonely()
		return failure(noWorld)
	case op == askSelf:
		return uintptr(home())
	case me != cluster.Scenario:
		return failure(notAllowed)
	case op == askAdd:
		if k = others.Add(text); k < 0 {
			return failure(badName - 1 - int32(k))
		}
		return uintptr(k)
	}
	m := &others.Machines[k]
	switch op {
	case askStart:
		return startMachine(k, text)
	case askStop:
		return stopMachine(k, cluster.Order(value))
	case askSignal:
		if m.State == cluster.Running {
			signal(k, uint32(value))
		}
		return uintptr(m.State)
	case askAwait:
		if m.State == cluster.Running {
			if !c.again {
				c.again = true
				m.Awaited++
			}
			return c.block(true, sys.EAGAIN)
		}
		return uintptr(m.Status)
	case askState:
		return uintptr(m.State)
	}
	return failure(sys.EINVAL)
}

// startMachine starts a machine's process. To boot takes some time.
func startMachine(k int, text string) uintptr {
	m := &others.Machines[k]
	if m.State == cluster.Running {
		return failure(wrongState)
	}
	r := &others.Request
	if len(text) > len(r.Text) {
		return failure(tooLong)
	}
	r.Op, r.From, r.Machine, r.N = cluster.Start, int32(me), int32(k), int32(copy(r.Text[:], text))
	took := int64(100_000)
	if m.State == cluster.Off {
		took += 1_000_000 + int64(simulation.Draw(sim.World, 20_000_000))
	}
	others.Boot(k, sys.SimTime.Now+took+int64(simulation.Draw(sim.World, 1_000_000)))
	simulation.Asks()
	return 0
}

// stop ends a machine's process, or takes its power away.
func stopMachine(k int, order cluster.Order) uintptr {
	m := &others.Machines[k]
	if m.State != cluster.Running && (order != cluster.Crash || m.State == cluster.Off) {
		return failure(wrongState)
	}
	m.Order = order
	r := &others.Request
	r.Op, r.From, r.Machine = cluster.Stop, int32(me), int32(k)
	simulation.Asks()
	if order == cluster.Crash {
		f := cluster.Frame{Kind: cluster.Silent, When: sys.SimTime.Now + cluster.Lookahead, Machine: int32(k)}
		others.Each(func(i int, m *cluster.Machine) {
			if i != me && others.Host(i) != k {
				post(i, &f, nil)
			}
		})
		receive(&f, nil)
	}
	happened()
	return 0
}

// setNetwork changes a setting of the network: of the one between machines, if there are several.
func setNetwork(which int, value uint64) uintptr {
	f := &Faults
	settings := [...]*uint64{&f.Latency, &f.Bandwidth, &f.Resets, &f.Pieces, &f.Loss, &f.Duplicates, &f.Reorder}
	if others != nil {
		n := &others.Network
		settings = [...]*uint64{&n.Latency, &n.Bandwidth, &n.Resets, &n.Pieces, &n.Loss, &n.Duplicates, &n.Reorder}
	}
	*settings[which] = value
	return 0
}

// setDisk changes a setting of the disk of machine k, -1: of this one.
func setDisk(k, which int, value uint64) uintptr {
	if others == nil {
		k = -1
	} else if k < 0 {
		k = home()
	}
	m := &noMachine
	if k >= 0 {
		m = &others.Machines[k]
	}
	var shared *uint64
	own := [...]*uint64{&Faults.DiskErrors, &Faults.ShortWrites, &Faults.DiskTime, &Faults.DiskRoom}
	switch which {
	case 0:
		shared = &m.DiskErrors
	case 1:
		shared = &m.ShortWrites
	case 2:
		shared = &m.DiskTime
	case 3:
		shared = &m.Room
	default:
		return failure(sys.EINVAL)
	}
	*shared = value
	if k < 0 || k == home() {
		*own[which] = value
		files.Room = int64(Faults.DiskRoom)
	}
	return 0
}

var noMachine cluster.Machine

// setClock lets a wall clock jump.
func setClock(k int, by int64) uintptr {
	if others != nil {
		if k < 0 {
			k = home()
		}
		others.Machines[k].Skew += by
		if k != home() {
			return 0
		}
		skew += by
	}
	sys.SimTime.Wall += by
	return 0
}

// partition separates the named ones from all others.
func partition(text string) uintptr {
	if others == nil {
		if cuts.groups++; cuts.groups > 64 {
			return failure(tooMany)
		}
	}
	ok := true
	eachName(text, func(name string) {
		if others != nil {
			ok = ok && others.Find(name) >= 0
		} else {
			ip, known := parseIP(name)
			ok = ok && known && cuts.grouped < len(cuts.group)
			if ok {
				cuts.group[cuts.grouped] = member{v4(ip), cuts.groups}
				cuts.grouped++
			}
		}
	})
	if !ok {
		return failure(badName)
	}
	if others != nil {
		others.Partition(func(k int) (in bool) {
			eachName(text, func(name string) { in = in || others.Machines[k].Name() == name })
			return in
		})
	}
	return 0
}

// cutNamed separates two, or joins them.
func cutNamed(text string, apart bool) uintptr {
	var two [2]string
	n := 0
	eachName(text, func(name string) {
		if n < 2 {
			two[n] = name
		}
		n++
	})
	if others != nil {
		a, b := others.Find(two[0]), others.Find(two[1])
		if a < 0 || b < 0 || a == b {
			return failure(badName)
		}
		others.Cut(a, b, apart)
		return 0
	}
	a, okA := parseIP(two[0])
	b, okB := parseIP(two[1])
	if !okA || !okB {
		return failure(badName)
	}
	if !Cut(a, b, apart) {
		return failure(tooMany)
	}
	return 0
}

// eachName calls do for each element of a list.
func eachName(text string, do func(name string)) {
	for text != "" {
		end := 0
		for end < len(text) && text[end] != 0 {
			end++
		}
		do(text[:end])
		text = text[min(end+1, len(text)):]
	}
}
