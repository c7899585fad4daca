//go:build loam

package world

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
)

// This process and its machine, if it is one of several (rt/cluster).

var (
	others *cluster.World // nil: there is one machine
	me     int            // number of the process
	skew   int64          // of the wall clock
)

const clusterAt = 0x2f00_0000_0000

// Join makes this process the one of the world that the settings say.
func Join(s *sim.Settings) {
	if s.World == "" || others != nil {
		return
	}
	fd := simulation.Open(s.World, oRdwr)
	p := sys.Syscall6(sys.SYS_MMAP, clusterAt, cluster.Size, sys.PROT_READ|sys.PROT_WRITE, mapShared|mapFixed, uintptr(fd), 0)
	sys.Close(fd)
	if p != clusterAt || s.Machine >= cluster.MaxProcesses {
		sys.Throw("LOAMSIM: the memory of the world cannot be mapped")
	}
	others, me = (*cluster.World)(sys.Ptr(p)), int(s.Machine)
}

// changeDisks takes the machine's own disk in place of the one that the initialisers saw.
func changeDisks() {
	clean := mappings == nil && disk.Changes == furnished
	for fd := 3; fd <= highest; fd++ {
		clean = clean && table[fd].file == nil
	}
	if !clean {
		sys.Throw("simulation: package initialisers have changed files, or opened some that they left open: a machine of a world has its disk from main.main on")
	}
	sys.Munmap(diskAt, diskSize)
	startDisk()
}

// self is the process in the shared memory.
func self() *cluster.Machine { return &others.Machines[me] }

// home is the machine that it is on.
func home() int { return others.Host(me) }

// isChild reports whether another process has started this one.
func isChild() bool { return others != nil && me >= cluster.MaxMachines }

// FirstTurn waits until the machine has the turn, and returns when that ends. The clock is the
// world's then. Until then another machine may change what all share, such as the list of machines,
// which the disk has a copy of. System stack, as the following.
func FirstTurn() (end int64) {
	await()
	if files != nil && !isChild() {
		changeDisks()
	}
	sys.SimTime.Now = max(sys.SimTime.Now, self().Now)
	return beginTurn()
}

// GiveTurn gives the turn to whose it is next, and returns when it comes back. next is when this
// machine has something to do.
func GiveTurn(next int64, hash uint64) (end int64) {
	if next == timer.Never && !stopped && me != cluster.Scenario && net.all == nil && pipes == nil && !sched.AwaitsSignal() && !hasOthers() {
		simulation.Stuck()
	}
	noteOutput()
	for {
		if stopped {
			next = whenItGoesOn()
		}
		others.EndTurn(me, sys.SimTime.Now, next, hash)
		if k, _ := others.Pick(); k != me {
			hand(k)
			await()
		}
		if end = beginTurn(); !stopped || mayGoOn(end) {
			return end
		}
	}
}

// AskTurn gives the turn to the coordinator.
func AskTurn(hash uint64) (end int64) {
	noteOutput()
	others.EndTurn(me, sys.SimTime.Now, sys.SimTime.Now, hash)
	hand(cluster.Coordinator)
	await()
	return beginTurn()
}

// LastTurn gives it away for ever. Any stack.
func LastTurn(hash uint64) {
	if self().Order != cluster.Crash {
		hangUpAll()
		letGo()
	}
	noteOutput()
	others.EndTurn(me, sys.SimTime.Now, timer.Never, hash)
	self().Ended = true
	hand(cluster.Coordinator)
}

// noteOutput notes how much was written in this turn: standard output and error are one file.
func noteOutput() {
	const current = 1
	if end := int(sys.Syscall6(sys.SYS_LSEEK, 1, 0, current, 0, 0, 0)); end > written {
		others.Wrote(me, end-written)
		written = end
	}
}

var written int // bytes that were noted

// hand gives the turn to machine k, or the coordinator.
func hand(k int) {
	w := others
	w.Turn = int32(k)
	word := &w.Coordinator
	if k != cluster.Coordinator {
		word = &w.Machines[k].Baton
	}
	atomic.StoreUint32(word, 1)
	sys.FutexCall(word)
}

// await waits for the turn.
func await() {
	m := self()
	for atomic.LoadUint32(&m.Baton) == 0 {
		sys.FutexAwait(&m.Baton, 0)
	}
	atomic.StoreUint32(&m.Baton, 0)
}

// beginTurn takes in what has happened meanwhile.
func beginTurn() (end int64) {
	m := self()
	switch m.Order {
	case cluster.GoOn:
	case cluster.Stuck:
		if stopped {
			sys.Throw("simulation: the process is stopped, and nobody lets it go on")
		}
		simulation.Stuck()
	default:
		sys.Exit(0)
	}
	m = &others.Machines[home()]
	sys.SimTime.Wall += m.Skew - skew
	skew = m.Skew
	Faults.DiskErrors, Faults.ShortWrites, Faults.DiskTime = m.DiskErrors, m.ShortWrites, m.DiskTime
	if files != nil {
		files.Room = int64(m.Room)
	}
	others.Take(me, receive)
	return others.Limit(me)
}

// arrival is a frame that has not arrived yet, or something that has.
type arrival struct {
	timer timer.Timer // first
	frame cluster.Frame
	next  *arrival // in the free list
}

var freeArrivals *arrival

// receive makes of a frame a timer: what it is comes when it is due.
func receive(f *cluster.Frame, content []byte) {
	switch f.Kind {
	case cluster.Datagram:
		p := newPacket(len(content))
		copy(p.bytes(), content)
		p.from, p.to, p.sender = fromEndpoint(f.From), fromEndpoint(f.To), f.Machine+1
		p.timer.Fire = deliverPacket
		p.timer.Start(f.When, 0)
		return
	case cluster.Data, cluster.Finish, cluster.Reset:
		if s := findFar(f.Connection); s != nil {
			s.in.queue(f, content)
			return
		}
	}
	if f.Kind == cluster.Signal {
		noteSignal(f)
	}
	a := freeArrivals
	if a != nil {
		freeArrivals = a.next
	} else {
		a = (*arrival)(heap.Permanent(unsafe.Sizeof(arrival{}), 64, false))
	}
	*a = arrival{frame: *f}
	a.timer.Fire = arrivalDue
	a.timer.Start(f.When, 0)
}

// arrivalDue is the timer's.
func arrivalDue(t *timer.Timer, now, late int64) {
	a := (*arrival)(unsafe.Pointer(t))
	f := a.frame
	a.next = freeArrivals
	freeArrivals = a
	switch f.Kind {
	case cluster.Signal:
		takeSignal(int32(f.Size))
	case cluster.Silent:
		fallenSilent(int(f.Machine), now)
	case cluster.Happened:
		if f.Size != 0 {
			childEnded()
		}
		happened()
	case cluster.Stirred:
		stirredElsewhere(int(f.Size))
	default:
		arriveFar(&f, now)
	}
}

// post sends a frame to another process, which may have something to send then.
func post(k int, f *cluster.Frame, content []byte) {
	if !others.Post(k, f, content) {
		sys.Throw("simulation: more than 8 MB are on their way to one machine")
	}
	simulation.TurnUntil(f.When + cluster.Lookahead)
}

func toEndpoint(a *address) cluster.Endpoint { return cluster.Endpoint{IP: a.ip, Port: a.port} }

func fromEndpoint(e cluster.Endpoint) address { return address{ip: e.IP, port: e.Port} }

// machineAt is the machine that has the address, -1 if none does, or it is this one.
func machineAt(a *address) int {
	if others == nil || a.unix || !a.isV4() {
		return -1
	}
	if k := others.At([4]byte(a.ip[12:])); k != home() {
		return k
	}
	return -1
}

// isOwn reports whether the address is the one that others know this machine by.
func (a *address) isOwn() bool {
	return others != nil && !a.unix && a.isV4() && others.At([4]byte(a.ip[12:])) == home()
}

// hostname is the machine's name.
func hostname() string {
	if others == nil {
		return hostName
	}
	return others.Machines[home()].Name()
}

// hostsFile is /etc/hosts: the machine itself, and all others there are when its disk is made. Of
// those that come later the resolver knows.
func hostsFile(etc *disk.Node) {
	const text = disk.Regular | 0o644
	files.Put(etc, "hostname", text, hostname())
	n := files.Put(etc, "hosts", text, "127.0.0.1\tlocalhost\n::1\tip6-localhost ip6-loopback\n")
	at := n.Size
	add := func(s string) { at += int64(max(files.Write(n, unsafe.Slice(unsafe.StringData(s), len(s)), at), 0)) }
	if others == nil {
		add("127.0.1.1\t" + hostName + "\n")
	} else {
		for k := range int(others.N) {
			for i, b := range cluster.Address(k) {
				var digits [20]byte
				if i > 0 {
					add(".")
				}
				add(unsafe.String(&digits[0], sim.Decimal(digits[:], uint64(b))))
			}
			add("\t")
			add(others.Machines[k].Name())
			add("\n")
		}
	}
	files.Sync(n)
}
