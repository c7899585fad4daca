//go:build loam

package world

import (
	"loam/rt/cluster"
	"loam/rt/disk"
	"loam/rt/sys"
)

// The calls by which a process changes what it is: its group, its user, its name, how urgent it is.

var (
	nice       int // how little urgent it is
	threadName [16]byte
)

// doSelf makes those calls.
func (c *call) doSelf() (r uintptr, known bool) {
	switch c.num {
	case callSetpgid:
		return result(setGroup(int32(c.a1), int32(c.a2))), true
	case callSetsid:
		own := pid()
		if groupOf(0) == own {
			return failure(sys.EPERM), true
		}
		self().Group = own
		return uintptr(own), true
	case callSetuid, callSetgid, callSetreuid, callSetregid, callSetresuid, callSetresgid:
		return result(c.setUser()), true
	case callSetgroups:
		return failure(sys.EPERM), true
	case callGetpriority:
		return uintptr(20 - nice), true
	case callSetpriority:
		return result(setNice(c.a1, int32(c.a2), int(int32(c.a3)))), true
	case callPrctl:
		return c.prctl()
	case callSchedSetaffinity, callMlockall, callMunlockall:
		return 0, true
	case callIoUringSetup, callMembarrier:
		return failure(sys.ENOSYS), true
	}
	return 0, false
}

// setGroup is setpgid.
func setGroup(id, group int32) (errno int32) {
	own := pid()
	if id == 0 {
		id = own
	}
	if group == 0 {
		group = id
	}
	if id != own {
		if others == nil {
			return errSrch
		}
		if k := others.Process(home(), id); k < 0 || !others.IsChild(k, me) {
			return errSrch
		}
		return disk.EACCES // it has executed its program
	}
	if group == groupOf(0) {
		return 0
	}
	if group != own && !isGroup(group) {
		return sys.EPERM
	}
	self().Group = group
	return 0
}

// isGroup reports whether a process of this machine is in the group.
func isGroup(group int32) (is bool) {
	if others != nil {
		others.Each(func(k int, m *cluster.Machine) {
			is = is || others.Host(k) == home() && others.Group(k) == group
		})
	}
	return is
}

// setUser is for calls that set numbers of users, or of groups: a user stays what it is.
func (c *call) setUser() (errno int32) {
	ids := [...]uintptr{c.a1, c.a2, c.a3}
	n := 3
	switch c.num {
	case callSetuid, callSetgid:
		n = 1
	case callSetreuid, callSetregid:
		n = 2
	}
	for _, id := range ids[:n] {
		if uint32(id) != simUser && (n == 1 || int32(id) != -1) {
			return sys.EPERM
		}
	}
	return 0
}

// setNice is setpriority. A user that is not root cannot make a process more urgent.
func setNice(which uintptr, who int32, to int) (errno int32) {
	const process = 0
	switch to = min(max(to, -20), 19); {
	case which != process:
		return sys.EINVAL
	case who != 0 && who != pid():
		return errSrch
	case to < nice:
		return disk.EACCES
	}
	nice = to
	return 0
}

// prctl names the thread, which has no other use here, and sets what nobody sees.
func (c *call) prctl() (r uintptr, known bool) {
	const setFate, setDumpable, setName, getName, noNewPrivileges = 1, 4, 15, 16, 38
	switch c.a1 {
	case setFate:
		if c.a2 > sys.NSIG-1 {
			return failure(sys.EINVAL), true
		}
		if others != nil && me >= cluster.MaxMachines {
			self().Fate = int32(c.a2)
		}
	case setDumpable, noNewPrivileges:
	case setName:
		clear(threadName[:])
		for i, b := range bytesAt(c.a2, 15) {
			if b == 0 {
				break
			}
			threadName[i] = b
		}
	case getName:
		copy(bytesAt(c.a2, 16), threadName[:])
	default:
		return 0, false
	}
	return 0, true
}
