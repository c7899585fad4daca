package runtime

import (
	"loam/rt/channel"
	"loam/rt/sched"
	"loam/rt/sys"
	"unsafe"
)

// What modules reach by go:linkname of goroutines and threads (see linknames.go). A *g is our
// *sched.G, an m our *sched.M; callers hand them back and look at nothing in them, but for what
// assembly may read of a G (internal/goasm).

// A foreignPark is what gopark's caller wants done once its goroutine is parked. It lies on that
// goroutine's stack.
type foreignPark struct {
	unlock func(g, lock unsafe.Pointer) bool
	lock   unsafe.Pointer
	g      unsafe.Pointer
}

// gopark blocks the calling goroutine until goready. unlock, which may be nil, runs on the system
// stack once it is parked, with the goroutine and lock; if it returns false the goroutine goes on.
// reason is upstream's number, and the last two are for traces: ours have their own.
func gopark(unlock func(g, lock unsafe.Pointer) bool, lock unsafe.Pointer, reason, traceReason uint8, traceSkip int) {
	p := foreignPark{unlock: unlock, lock: lock, g: unsafe.Pointer(sched.CurrentG())}
	sched.Park(parkForeign, unsafe.Pointer(&p), foreignReason(reason))
}

func parkForeign(arg unsafe.Pointer) bool {
	p := (*foreignPark)(arg)
	return p.unlock == nil || p.unlock(p.g, p.lock)
}

// foreignReason is what gopark's callers say that they wait for, if goroutines here do, too.
func foreignReason(n uint8) sched.WaitReason {
	if r := sched.WaitReason(n); r.String() != "" && r <= sched.WaitCleanup {
		return r
	}
	return sched.WaitSemacquire
}

// goready makes a goroutine runnable that gopark has parked. Its caller must be the only one to.
func goready(g unsafe.Pointer, traceSkip int) { sched.Ready((*sched.G)(g)) }

// wakep gets a thread to look for goroutines to run, if a P is idle and nobody looks.
func wakep() { sched.WakeIdle() }

// getm identifies the thread.
func getm() uintptr { return uintptr(sys.M()) }

func lockedOSThread() bool { return sched.CurrentG().BoundM != nil }

// systemstack runs fn on the thread's own stack. fn must not block, and what it calls must not grow
// its stack beyond that.
func systemstack(fn func()) { sys.OnSystemStack(fn) }

// chanbuf returns the address of the i-th place of a channel's buffer.
func chanbuf(c *channel.Chan, i uint) unsafe.Pointer { return c.Place(i) }

// asmcgocall calls a function that follows C's calling convention, which is ours, on the thread's
// own stack.
func asmcgocall(code, arg unsafe.Pointer) (result int32) {
	closure := &struct{ code unsafe.Pointer }{code}
	f := *(*func(unsafe.Pointer) int32)(unsafe.Pointer(&closure))
	sys.OnSystemStack(func() { result = f(arg) })
	return result
}

// System calls that upstream makes in assembly.

func nanotime1() int64 { return sys.Nanotime() }

func usleep(us uint32) { sys.Usleep(int64(us)) }

func osyield() { sys.OSYield() }

func write1(fd uintptr, p unsafe.Pointer, n int32) int32 {
	return int32(sys.Syscall6(sys.SYS_WRITE, fd, uintptr(p), uintptr(n), 0, 0, 0))
}

// overrideWrite, if a program sets it, takes what this package writes to file descriptors.
var overrideWrite func(fd uintptr, p unsafe.Pointer, n int32) int32

// vdsoClockgettimeSym is the address of the kernel's function that reads clocks, for assembly; 0 if
// there is none.
var vdsoClockgettimeSym uintptr

// goarm is the version of an ARM processor: this is none.
var goarm uint8
