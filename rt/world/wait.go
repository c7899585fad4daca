//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// The calls by which a process waits for those that it has started, and sends signals to others.

// Options of wait4 and waitid.
const (
	waitNoHang    = 0x1
	waitStopped   = 0x2
	waitExited    = 0x4
	waitContinued = 0x8
	waitKeep      = 0x1000000 // WNOWAIT
)

// ended returns a child that has ended and that wanted fits; none: there is no such child at all.
func ended(fits func(k int) bool) (k int, none bool) {
	k, none = -1, true
	if others == nil {
		return k, none
	}
	others.Each(func(child int, m *cluster.Machine) {
		if !others.IsChild(child, me) || !fits(child) {
			return
		}
		none = false
		if m.State != cluster.Running && (k < 0 || m.Now < others.Machines[k].Now) {
			k = child
		}
	})
	return k, none
}

// wait4 is wait4.
func (c *call) wait4() uintptr {
	pid := int32(c.a1)
	if c.a3&(waitStopped|waitContinued) != 0 {
		leaves("wait4 for a process that is stopped, or goes on, has no model", "", "")
	}
	k, none := ended(func(k int) bool {
		switch {
		case pid > 0:
			return others.PIDOf(k) == pid
		case pid == 0:
			return others.Group(k) == others.Group(me)
		}
		return pid == -1 || others.Group(k) == -pid
	})
	switch {
	case none:
		return failure(errChild)
	case k < 0 && c.a3&waitNoHang != 0:
		return 0
	case k < 0:
		return c.block(true, sys.EAGAIN)
	}
	if c.a2 != 0 {
		*(*int32)(sys.Ptr(c.a2)) = others.Machines[k].Status
	}
	if c.a4 != 0 {
		usage(c.a4)
	}
	found := others.PIDOf(k)
	others.Forget(k)
	return uintptr(found)
}

// waitid is waitid for a process or all.
func (c *call) waitid() (r uintptr, known bool) {
	const all, one, group, descriptor = 0, 1, 2, 3
	if c.a1 == descriptor {
		return failure(sys.EINVAL), true
	}
	if c.a4&waitExited == 0 {
		return 0, false
	}
	id := int32(c.a2)
	k, none := ended(func(k int) bool {
		return c.a1 == all || c.a1 == one && others.PIDOf(k) == id || c.a1 == group && others.Group(k) == id
	})
	switch {
	case none:
		return failure(errChild), true
	case k < 0 && c.a4&waitNoHang != 0:
		return 0, true
	case k < 0:
		return c.block(true, sys.EAGAIN), true
	}
	if c.a3 != 0 { // siginfo
		const sigchld, exited, killed = 17, 1, 2
		status := others.Machines[k].Status
		b := bytesAt(c.a3, 128)
		clear(b)
		words := (*[32]int32)(unsafe.Pointer(&b[0]))
		words[0], words[4], words[5] = sigchld, others.PIDOf(k), simUser
		words[2], words[6] = exited, status>>8
		if status&0x7f != 0 {
			words[2], words[6] = killed, status&0x7f
		}
	}
	if c.a5 != 0 {
		usage(c.a5)
	}
	if c.a4&waitKeep == 0 {
		others.Forget(k)
	}
	return 0, true
}

// PID is what this process is called.
func PID() int32 { return pid() }

// pid is what this process is called, and parentPID the one that has started it.
func pid() int32 {
	if others == nil {
		return cluster.FirstPID
	}
	return others.PIDOf(me)
}

func parentPID() int32 {
	if others == nil || me < cluster.MaxMachines || self().Parent < 0 {
		return 1
	}
	return others.PIDOf(int(self().Parent))
}

// groupOf is the group of a process; -1: there is no such process.
func groupOf(id int32) int32 {
	switch {
	case others == nil && (id == 0 || id == cluster.FirstPID):
		return cluster.FirstPID
	case others == nil:
		return -1
	case id == 0:
		return others.Group(me)
	}
	k := others.Process(home(), id)
	if k < 0 {
		return -1
	}
	return others.Group(k)
}

// signalled is when the signal arrives that was sent last.
var signalled int64

// signal sends a signal to process k. Signals keep their order.
func signal(k int, sig uint32) {
	signalled = max(signalled+1, sys.SimTime.Now+cluster.Lookahead)
	post(k, &cluster.Frame{Kind: cluster.Signal, Machine: int32(me), When: signalled, Size: sig}, nil)
}

// kill sends a signal: to a process, a group, or all.
func kill(to int32, sig uintptr) uintptr {
	if sig > sys.NSIG-1 {
		return failure(sys.EINVAL)
	}
	own := pid()
	n := 0
	hit := func(k int, id int32) {
		n++
		if sig == 0 {
			return
		}
		if id == own {
			arrived |= 1 << sig
			return
		}
		signal(k, uint32(sig))
	}
	if others == nil {
		if to == own || to == 0 || to == -own || to == -1 {
			hit(0, own)
		}
	} else {
		group := others.Group(me)
		others.Each(func(k int, m *cluster.Machine) {
			id := others.PIDOf(k)
			running := m.State == cluster.Running
			if others.Host(k) != home() || !running && !others.IsChild(k, int(m.Parent)) {
				return
			}
			switch {
			case to > 0 && id != to, to == 0 && others.Group(k) != group, to < -1 && others.Group(k) != -to, to == -1 && id == own:
				return
			}
			hit(k, id)
		})
	}
	if n == 0 {
		return failure(errSrch)
	}
	return 0
}

// letGo gives back what other processes see of this one, which ends.
func letGo() {
	for fd := range highest + 1 {
		if f := table[fd].file; f != nil && f.refs > 0 && f.what == onDisk {
			f.refs = 0
			if f.leaveOpen() {
				f.dropLock()
			}
			files.Close(f.node)
		}
	}
	for p := pipes; p != nil; p = p.next {
		p.state.Readers -= p.readers
		p.state.Writers -= p.writers
		p.state.Holders.Remove(me)
		p.tellOthers()
	}
	for s := net.all; s != nil; s = s.older {
		s.retract()
	}
	if me >= cluster.MaxMachines {
		files.Close(cwd)
		withdrawProcess()
	}
	others.Each(func(k int, m *cluster.Machine) {
		if m.Fate != 0 && m.State == cluster.Running && others.IsChild(k, me) {
			post(k, &cluster.Frame{Kind: cluster.Signal, Machine: int32(me), When: sys.SimTime.Now + cluster.Lookahead, Size: uint32(m.Fate)}, nil)
		}
	})
	stirOthers()
}

// stirOthers lets the other processes of the machine look again at what they wait for.
func stirOthers() {
	if others == nil {
		return
	}
	f := cluster.Frame{Kind: cluster.Happened, Machine: int32(me), When: sys.SimTime.Now + cluster.Lookahead}
	others.Each(func(k int, m *cluster.Machine) {
		if k != me && m.State == cluster.Running && others.Host(k) == home() {
			post(k, &f, nil)
		}
	})
}

// hasOthers reports whether another process of this machine runs, or could be waited for.
func hasOthers() (has bool) {
	others.Each(func(k int, m *cluster.Machine) {
		has = has || k != me && others.Host(k) == home() && (m.State == cluster.Running || others.IsChild(k, me))
	})
	return has
}

// childEnded is for the end of a process that this one has started.
func childEnded() {
	const sigchld = 17
	simulation.Signal(sigchld)
	happened()
}
