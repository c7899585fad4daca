//go:build loam

package world

import (
	"unsafe"

	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
)

// Numbers of system calls that rt/sys does not use itself.
const (
	callStat       = 4
	callLstat      = 6
	callPread64    = 17
	callAccess     = 21
	callGetcwd     = 79
	callReadlink   = 89
	callGetrlimit  = 97
	callGetuid     = 102
	callGetgid     = 104
	callGeteuid    = 107
	callGetegid    = 108
	callGetppid    = 110
	callGetdents64 = 217
	callNewfstatat = 262
	callReadlinkat = 267
	callFaccessat  = 269
	callPrlimit64  = 302
	callUname      = 63
	callStatx      = 332
	callFaccessat2 = 439
)

const (
	accessMode = 3 // of open's flags
	openCreate = 0x40
	openTrunc  = 0x200

	simPid = 4242
)

// Syscall6 is internal/runtime/syscall/linux.Syscall6 in a simulated run. Goroutine stack; the P may
// be left as for a blocking call.
func Syscall6(num, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr) {
	var r uintptr
	sys.OnSystemStack(func() { // the world's code has no points
		known := false
		if r, known = netCall(num, a1, a2, a3, a4, a5, a6); !known {
			r = call(num, a1, a2, a3, a4, a5, a6)
		}
	})
	sched.SimFold(sim.Called, uint64(num)<<32^uint64(a1), uint64(r))
	if r > ^uintptr(4095) {
		return ^uintptr(0), 0, -r
	}
	return r, 0, 0
}

// call makes a call: the result, or a negative error number.
func call(num, a1, a2, a3, a4, a5, a6 uintptr) uintptr {
	if find(a1) != nil && (num <= callPread64 || num >= callSendfile && num <= callGetsockopt || num == callAccept4) {
		unmodelled(num)
	}
	switch num {
	case sys.SYS_WRITE:
		if a1 == 1 || a1 == 2 {
			if a3 > 0 {
				sched.SimFoldBytes(sim.Written, unsafe.Slice((*byte)(sys.Ptr(a2)), int(a3)))
			}
			return sys.Syscall6(num, a1, a2, a3, 0, 0, 0)
		}
	case sys.SYS_OPEN:
		if readsOnly(a2) {
			return sys.Syscall6(num, a1, a2, a3, 0, 0, 0)
		}
	case sys.SYS_OPENAT:
		if readsOnly(a3) {
			return sys.Syscall6(num, a1, a2, a3, a4, 0, 0)
		}
	case sys.SYS_READ, sys.SYS_CLOSE, sys.SYS_FSTAT, sys.SYS_LSEEK, callStat, callLstat, callAccess, callPread64,
		callGetcwd, callReadlink, callGetdents64, callNewfstatat, callReadlinkat, callFaccessat, callFaccessat2,
		callStatx, callUname, callGetuid, callGeteuid, callGetgid, callGetegid:
		return sys.Syscall6(num, a1, a2, a3, a4, a5, a6)
	case sys.SYS_FCNTL:
		return sys.Syscall6(num, a1, a2, a3, 0, 0, 0)
	case sys.SYS_GETPID, sys.SYS_GETTID:
		return simPid
	case callGetppid:
		return 1
	case sys.SYS_MMAP:
		if int32(a5) == -1 {
			if a1 == 0 {
				a1 = sys.SimHint(a2)
			}
			return sys.Syscall6(num, a1, a2, a3, a4, a5, a6)
		}
	case sys.SYS_MUNMAP, sys.SYS_MPROTECT, sys.SYS_MADVISE:
		return sys.Syscall6(num, a1, a2, a3, 0, 0, 0)
	case callPrlimit64, callGetrlimit:
		return sys.Syscall6(num, a1, a2, a3, a4, 0, 0)
	case sys.SYS_GETRANDOM:
		return random(a1, a2)
	case sys.SYS_CLOCK_GETTIME:
		return clock(a1, a2)
	case sys.SYS_SCHED_YIELD:
		return 0
	case sys.SYS_EXIT_GROUP:
		sys.Exit(int32(a1))
	}
	unmodelled(num)
	return 0
}

// readsOnly says whether open's flags only ask to read a file that is there.
func readsOnly(flags uintptr) bool { return flags&(accessMode|openCreate|openTrunc) == 0 }

// random is getrandom, from the run's numbers.
func random(p, n uintptr) uintptr {
	for i := uintptr(0); i < n; i++ {
		*(*byte)(sys.Ptr(p + i)) = byte(sched.SimRandom())
	}
	return n
}

// clock is clock_gettime.
func clock(id, p uintptr) uintptr {
	const realtime, coarse = 0, 5
	t := (*[2]int64)(sys.Ptr(p))
	if id == realtime || id == coarse {
		sec, nsec := sys.Walltime()
		t[0], t[1] = sec, int64(nsec)
		return 0
	}
	now := sys.Nanotime()
	t[0], t[1] = now/1e9, now%1e9
	return 0
}

// unmodelled ends the run.
func unmodelled(num uintptr) {
	sys.BeginReport()
	sys.PrintString("simulation: system call ")
	if int(num) < len(names) && names[num] != "" {
		sys.PrintString(names[num])
	} else {
		sys.PrintUint(uint64(num))
	}
	sys.PrintString(" has no model yet\n")
	sys.Throw("simulation: the program leaves the simulated world")
}
