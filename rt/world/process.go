//go:build loam

package world

import (
	"unsafe"

	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
)

// The calls that ask for the process and its machine.

const simUser = 1000 // and group

// doProcess makes the calls that are about neither files nor sockets.
func (c *call) doProcess() (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_GETPID, sys.SYS_GETTID:
		return uintptr(pid()), true
	case callGetpgrp:
		return uintptr(groupOf(0)), true
	case callGetpgid, callGetsid:
		if g := groupOf(int32(c.a1)); g >= 0 {
			return uintptr(g), true
		}
		return failure(errSrch), true
	case callGetppid:
		return uintptr(parentPID()), true
	case callSpawn:
		return c.spawn(), true
	case callWait4:
		return c.wait4(), true
	case callWaitid:
		return c.waitid()
	case callGetuid, callGeteuid, callGetgid, callGetegid, callGetgroups, callGetresuid, callGetresgid:
		return c.user(), true
	case sys.SYS_MMAP:
		return c.mmap()
	case sys.SYS_MUNMAP:
		return munmap(c.a1, c.a2), true
	case callMsync:
		return msync(c.a1, c.a2), true
	case sys.SYS_MPROTECT:
		sys.Changes(c.a1, c.a2)
		return sys.Syscall6(c.num, c.a1, c.a2, c.a3, 0, 0, 0), true
	case sys.SYS_MADVISE:
		return madvise(c.a1, c.a2, c.a3), true
	case callMlock, callMunlock:
		return 0, true
	case callPidfdOpen, callPidfdSendSignal:
		return failure(sys.ENOSYS), true // processes are known by their numbers
	case callPrlimit64:
		if c.a1 != 0 && int32(c.a1) != pid() {
			return failure(errSrch), true
		}
		return limits(c.a2, c.a3, c.a4), true
	case callGetrlimit:
		return limits(c.a1, 0, c.a2), true
	case callSetrlimit:
		return limits(c.a1, c.a2, 0), true
	case sys.SYS_GETRANDOM:
		return random(c.a1, c.a2), true
	case callMount, callUmount2, callPivotRoot, callChroot, callSwapon, callSwapoff, callReboot,
		callSethostname, callSetdomainname, callSettimeofday, callClockSettime:
		return failure(sys.EPERM), true // the user is not root
	case callUname:
		return uname(c.a1), true
	case callGetrusage:
		return usage(c.a2), true
	case callSysinfo:
		return sysinfo(c.a1), true
	case sys.SYS_SCHED_GETAFFINITY:
		return affinity(c.a2, c.a3), true
	case sys.SYS_EXIT_GROUP:
		sys.Exit(int32(c.a1))
	case callKill:
		return kill(int32(c.a1), c.a2), true
	case callTkill:
		return kill(int32(c.a1), c.a2), true
	case sys.SYS_TGKILL:
		return kill(int32(c.a2), c.a3), true
	}
	if r, known := c.doSelf(); known {
		return r, true
	}
	return c.doTime()
}

// user makes the calls for the user's and the groups' numbers.
func (c *call) user() uintptr {
	switch c.num {
	case callGetresuid, callGetresgid:
		for _, p := range [...]uintptr{c.a1, c.a2, c.a3} {
			*(*uint32)(sys.Ptr(p)) = simUser
		}
		return 0
	case callGetgroups:
		if c.a1 > 0 {
			*(*uint32)(sys.Ptr(c.a2)) = simUser
		}
		return 1
	}
	return simUser
}

// doTime makes the calls of clocks.
func (c *call) doTime() (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_CLOCK_GETTIME:
		return clock(c.a1, c.a2), true
	case callClockGetres:
		if c.a2 != 0 {
			*(*[2]int64)(sys.Ptr(c.a2)) = [2]int64{0, 1}
		}
		return 0, true
	case callGettimeofday:
		sec, nsec := sys.Walltime()
		*(*[2]int64)(sys.Ptr(c.a1)) = [2]int64{sec, int64(nsec) / 1000}
		return 0, true
	case callTimes:
		ticks := (sys.Nanotime() - 1e9) / 1e7
		if c.a1 != 0 {
			*(*[4]int64)(sys.Ptr(c.a1)) = [4]int64{ticks}
		}
		return uintptr(ticks), true
	case sys.SYS_NANOSLEEP, callClockNanoslp:
		p := c.a1
		if c.num == callClockNanoslp {
			if p = c.a3; c.a2 != 0 {
				return 0, false // until a time
			}
		}
		t := (*[2]int64)(sys.Ptr(p))
		c.takes(t[0]*1e9 + t[1])
		return 0, true
	case sys.SYS_SCHED_YIELD:
		return 0, true
	}
	return 0, false
}

// random is getrandom, from the run's numbers.
func random(p, n uintptr) uintptr {
	for i := range bytesAt(p, n) {
		*(*byte)(sys.Ptr(p + uintptr(i))) = byte(simulation.Random())
	}
	return n
}

// clock is clock_gettime.
func clock(id, p uintptr) uintptr {
	const realtime, coarse, tai = 0, 5, 11
	t := (*[2]int64)(sys.Ptr(p))
	if id == realtime || id == coarse || id == tai {
		sec, nsec := sys.Walltime()
		t[0], t[1] = sec, int64(nsec)
		return 0
	}
	now := sys.Nanotime()
	t[0], t[1] = now/1e9, now%1e9
	return 0
}

// limits is prlimit64.
func limits(which, set, get uintptr) uintptr {
	const files, stack, infinite = 7, 3, ^uint64(0)
	if get != 0 {
		both := [2]uint64{infinite, infinite}
		switch which {
		case files:
			both = fileLimit
		case stack:
			both[0] = 8 << 20
		}
		*(*[2]uint64)(sys.Ptr(get)) = both
	}
	if set != 0 && which == files {
		both := *(*[2]uint64)(sys.Ptr(set))
		if both[0] > both[1] {
			return failure(sys.EINVAL)
		}
		if both[1] > maxFDs {
			return failure(sys.EPERM)
		}
		fileLimit = both
	}
	return 0
}

var fileLimit = [2]uint64{softFDs, maxFDs}

// uname describes the machine.
func uname(p uintptr) uintptr {
	const size = 65
	b := bytesAt(p, 6*size)
	clear(b)
	for i, s := range [...]string{"Linux", hostname(), release, version, "x86_64", "(none)"} {
		copy(b[i*size:], s)
	}
	return 0
}

const (
	hostName = "loam"
	release  = "6.12.0-loam"
	version  = "#1 SMP"
	memory   = 8 << 30
)

// usage is getrusage: all time that has passed was the program's.
func usage(p uintptr) uintptr {
	now := (sys.SimTime.Now - 1e9) / 1000
	b := (*[18]int64)(sys.Ptr(p))
	*b = [18]int64{now / 1e6, now % 1e6, 0, 0, 64 << 10}
	return 0
}

func sysinfo(p uintptr) uintptr {
	b := bytesAt(p, 112)
	clear(b)
	*(*[6]uint64)(unsafe.Pointer(&b[0])) = [6]uint64{uint64(sys.SimTime.Now / 1e9), 0, 0, 0, memory, memory / 2}
	*(*uint16)(unsafe.Pointer(&b[80])) = 1
	*(*uint32)(unsafe.Pointer(&b[104])) = 1
	return 0
}

// affinity is sched_getaffinity: one bit a processor.
func affinity(size, p uintptr) uintptr {
	n := uintptr(128)
	if size < n {
		return failure(sys.EINVAL)
	}
	b := bytesAt(p, n)
	clear(b)
	for cpu := range simulation.Procs() {
		b[cpu/8] |= 1 << (cpu % 8)
	}
	return n
}

// arrived are the signals that the process has got, and not taken yet.
var arrived uint64

// deliverSignals lets the process take its signals. Goroutine stack.
func deliverSignals() {
	for sig := int32(1); arrived != 0; sig++ {
		if arrived>>sig&1 != 0 {
			arrived &^= 1 << sig
			sys.OnSystemStack(func() { takeSignal(sig) })
		}
	}
}

// signalTimer sends the signal that the settings ask for.
var signalTimer timer.Timer

func sendSignal(t *timer.Timer, now, late int64) { simulation.Signal(int32(Faults.Signal)) }

// unmodelled ends the run.
func unmodelled(num uintptr) {
	Fails()
	sys.BeginReport()
	sys.PrintString("simulation: system call ")
	if int(num) < len(names) && names[num] != "" {
		sys.PrintString(names[num])
	} else {
		sys.PrintUint(uint64(num))
	}
	if why := reason(num); why != "" {
		sys.PrintString(": ")
		sys.PrintString(why)
		sys.PrintNL()
	} else {
		sys.PrintString(" has no model yet\n")
	}
	sys.Throw("simulation: the program leaves the simulated world")
}

// reason says more about a call that has no model.
func reason(num uintptr) string {
	switch num {
	case 56, 57, 58, 59, 435:
		return "a simulated program starts processes by os.StartProcess and syscall.ForkExec"
	case callEpollCtl:
		return "an epoll descriptor cannot wait for another one in a simulated run"
	case sys.SYS_MMAP:
		return "this kind of mapping has no model in a simulated run"
	}
	return ""
}
