package sys

import (
	"sync/atomic"
	"unsafe"
)

// Layout of a thread's mapping, low to high:
//
//	guard | signal stack | guard | system stack | Thread
const (
	sigStackSize = 64 << 10
	sysStackSize = 256 << 10
	threadArea   = 4096
	threadSize   = PageSize + sigStackSize + PageSize + sysStackSize + threadArea
)

const cloneFlags = 0x100 | // VM
	0x200 | // FS
	0x400 | // FILES
	0x800 | // SIGHAND
	0x10000 | // THREAD
	0x40000 | // SYSVSEM
	0x80000 | // SETTLS
	0x100000 | // PARENT_SETTID
	0x200000 // CHILD_CLEARTID

func clone(flags, sp uintptr, t *Thread) int32

// NewThread maps stacks and a block for a thread, not yet started. nil: no memory. In a program
// with C, whose threads the C library makes, the thread is there, and waits.
func NewThread() *Thread {
	if HasC() {
		return newCThread()
	}
	p, err := Mmap(0, threadSize, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANON|MAP_NORESERVE)
	if err != 0 {
		return nil
	}
	Madvise(p, threadSize, MADV_NOHUGEPAGE)
	Mprotect(p, PageSize, PROT_NONE)
	Mprotect(p+PageSize+sigStackSize, PageSize, PROT_NONE)
	t := (*Thread)(Ptr(p + threadSize - threadArea))
	t.Self = t
	t.Base[0] = uintptr(unsafe.Pointer(&t.Base))
	t.AsmG = &asmG
	t.AltLo, t.AltSize = p+PageSize, sigStackSize
	t.SysLo = p + 2*PageSize + sigStackSize
	t.SysHi = t.SysLo + sysStackSize
	t.SysLim = t.SysLo + SystemSlack
	t.SysSP = t.SysHi - 256
	*t.LimitWord() = t.SysLim
	SeedRand(t)
	return t
}

// StartThread runs t.Start on t's system stack in a new kernel thread. Returns a
// positive errno if the kernel refuses. t.G0, G and M must be set.
func StartThread(t *Thread) int32 {
	if HasC() {
		atomic.StoreUint32(&t.Ready, 1)
		FutexWake(&t.Ready, 1)
		return 0
	}
	var old uint64
	all := ^uint64(0)
	Sigprocmask(SIG_SETMASK, &all, &old)
	atomic.StoreInt32(&t.ClearTid, 1)
	r := clone(cloneFlags, t.SysSP, t)
	Sigprocmask(SIG_SETMASK, &old, nil)
	if r < 0 {
		return -r
	}
	return 0
}

// ThreadReady is the first thing a thread's Start does: signal stack, then mask.
func ThreadReady(mask uint64) {
	t := Self()
	t.Tid = Gettid()
	Sigaltstack(t.AltLo, t.AltSize)
	WatchCPU()
	Sigprocmask(SIG_SETMASK, &mask, nil)
}

// ThreadGone reports whether the kernel has finished with the thread's memory, which another one
// may have. The C library's threads keep theirs.
func ThreadGone(t *Thread) bool { return !HasC() && atomic.LoadInt32(&t.ClearTid) == 0 }

// ExitThread ends the calling thread; its ClearTid becomes 0 when its stack is
// no longer in use.
func ExitThread()

// RawVfork makes a system call that may return twice in shared memory.
func RawVfork(trap, a1, a2, a3 uintptr) uintptr

// InitAltStack gives the initial thread its signal stack.
func InitAltStack() {
	t := Self()
	t.AltLo, t.AltSize = uintptr(MapAnon(sigStackSize)), sigStackSize
	Sigaltstack(t.AltLo, t.AltSize)
}

// cThread is what is told of a thread.
type cThread struct {
	block  *Thread
	lo, hi uintptr // its stack, as far as it is not in use
}

// newCThread asks the C library for a thread. It waits in loam.c_thread (clone.gas). All signals
// are blocked until it has a signal stack.
func newCThread() *Thread {
	var old uint64
	all := ^uint64(0)
	Sigprocmask(SIG_SETMASK, &all, &old)
	c := cThread{}
	err := CallC(C.NewThread, unsafe.Pointer(&c))
	Sigprocmask(SIG_SETMASK, &old, nil)
	if err != 0 {
		return nil
	}
	t := c.block
	t.AltLo, t.AltSize = uintptr(MapAnon(sigStackSize)), sigStackSize
	t.initC(&c)
	return t
}

func (t *Thread) initC(c *cThread) {
	t.Self = t
	t.AsmG = &asmG
	t.SysLo, t.SysHi = c.lo, c.hi
	t.SysLim = t.SysLo + SystemSlack
	t.SysSP = t.SysHi &^ 15
	*t.LimitWord() = t.SysLim
	SeedRand(t)
}
