package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sys"
)

// Coro is what iter.Pull switches between: one of two goroutines runs, the other
// waits in it. A switch hands the thread over directly: no queue, no wake-up.
type Coro struct {
	g *G // the goroutine that waits
	f func(*Coro)
}

//go:linkname newcoro runtime.newcoro
func newcoro(f func(*Coro)) *Coro {
	c := (*Coro)(heap.Alloc(unsafe.Sizeof(Coro{}), false, true))
	c.f = f
	start := coroStart
	t := sys.AcquireM()
	g := newG((*P)(t.P), *(*unsafe.Pointer)(unsafe.Pointer(&start)), sys.CallerPC())
	atomic.AddInt64(&sched.nUser, 1)
	g.coro = c
	g.WaitReason = WaitCoroutine
	sys.StoreRel(&g.Status, Waiting)
	c.g = g
	sys.ReleaseM()
	return c
}

// coroStart is the function of a coroutine's goroutine.
func coroStart() {
	c := CurrentG().coro
	c.f(c)
	curM().G0.Param = unsafe.Pointer(c)
	sys.Mcall(coroExitG)
}

// coroswitch continues the goroutine that waits in c; the caller waits in its place.
//
//go:linkname coroswitch runtime.coroswitch
func coroswitch(c *Coro) {
	curM().G0.Param = unsafe.Pointer(c)
	sys.Mcall(coroSwitchG)
}

func coroSwitchG(gp unsafe.Pointer) {
	g := (*G)(gp)
	m := curM()
	c := (*Coro)(m.G0.Param)
	m.G0.Param = nil
	next := c.g
	if next == nil {
		sys.Throw("coroswitch on exited coro")
	}
	leave(m, g)
	g.WaitReason = WaitCoroutine
	// The thread lock follows the control flow.
	if m.lockedG == g {
		next.LockedM, next.lockCount = m, g.lockCount
		g.LockedM, g.lockCount = nil, 0
		m.lockedG = next
	}
	c.g = g
	sys.StoreRel(&g.Status, Waiting)
	takeBack(next)
	execute(m, next, true)
}

func coroExitG(gp unsafe.Pointer) {
	g := (*G)(gp)
	m := curM()
	c := (*Coro)(m.G0.Param)
	m.G0.Param = nil
	next := c.g
	c.g, c.f = nil, nil
	if m.lockedG == g {
		next.LockedM, next.lockCount = m, g.lockCount
		g.LockedM, g.lockCount = nil, 0
		m.lockedG = next
	}
	makeRunnable(next)
	enqueue(m.P, next, true)
	exitG(gp)
}
