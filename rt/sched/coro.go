package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sys"
	"loam/rt/tracer"
)

//go:linkname newcoro runtime.newcoro
func newcoro(f func(*Coro)) *Coro {
	c := (*Coro)(heap.Alloc(unsafe.Sizeof(Coro{}), false, true))
	c.f = f
	start := beginCoro
	t := sys.AcquireM()
	if maker := (*G)(t.G); maker.special&isBound != 0 {
		c.thread, c.locks = maker.BoundM, maker.lockCount
	}
	g := newG((*P)(t.P), *(*unsafe.Pointer)(unsafe.Pointer(&start)), sys.CallerPC(), 1)
	(*P)(t.P).userBegins()
	g.coro = c
	g.hasExtra = true
	heap.Shade(*(*unsafe.Pointer)(unsafe.Pointer(&f)))
	heap.Shade(unsafe.Pointer(c))
	g.WaitReason = WaitCoroutine
	if g.Bubble != nil {
		bubbleCoro(g, 1)
	}
	if tracer.On {
		traceCreate(g, true)
	}
	sys.StoreRel(&g.Status, Waiting)
	c.g = g
	sys.ReleaseM()
	return c
}

// beginCoro is the function of a coroutine's goroutine. When it returns, or when f
// calls Goexit, exitG continues the goroutine that waits in the Coro.
func beginCoro() {
	coroArrived()
	c := CurrentG().coro
	c.f(c)
}

// coroswitch continues the goroutine that waits in c; the caller waits in its place. The
// switch is from stack to stack. Between taking next out of c and arriving, c.g is nil:
// what the caller leaves behind is published by the goroutine that goes on
// (coroArrived), when the caller's registers are saved. A second, racing switch on c
// therefore finds nil and dies.
//
//go:linkname coroswitch runtime.coroswitch
func coroswitch(c *Coro) {
	m := (*M)(sys.AcquireM().M) // until coroArrived: a yield in between would lose m.coroPrev
	g := m.CurG
	next := (*G)(atomic.SwapPointer((*unsafe.Pointer)(unsafe.Pointer(&c.g)), nil))
	if next == nil {
		sys.Throw("coroswitch on exited coro, or from two goroutines at once")
	}
	if c.thread != nil || m.boundG == g {
		moveThreadLock(c, m, g, next)
	}
	g.WaitReason = WaitCoroutine
	m.coroPrev, m.coro = g, c
	takeBack(next)
	if tracer.On {
		traceSwitch(g, next)
	}
	leave(m, g)
	if global.usage {
		usageRuns(m, next)
	}
	m.CurG = next
	next.M = m
	next.dirty = true
	sys.StoreRel(&next.Status, Running)
	if heap.Marking() {
		ranWhileMarking(next)
	}
	if race.Enabled {
		next.Race.Actor().Begins()
	}
	sys.SwitchDirect(&g.Context, &next.Context)
	coroArrived()
}

// coroArrived completes the switch by which the current goroutine was continued.
func coroArrived() {
	m := curM()
	if prev, c := m.coroPrev, m.coro; prev != nil {
		// Nothing stays behind: m0 is a global, which the collector reads.
		m.coroPrev, m.coro = nil, nil
		sys.StoreRel(&prev.Status, Waiting)
		sys.StoreRelPtr((*unsafe.Pointer)(unsafe.Pointer(&c.g)), unsafe.Pointer(prev))
		sys.ReleaseM()
	}
}

// leaveCoro is exitG's part for a coroutine: it returns the goroutine to go on with.
func leaveCoro(m *M, g *G) *G {
	c := g.coro
	next := (*G)(atomic.SwapPointer((*unsafe.Pointer)(unsafe.Pointer(&c.g)), nil))
	if next == nil {
		sys.Throw("coroutine exits while nobody waits for it")
	}
	c.f = nil
	if g.Bubble != nil {
		bubbleCoro(g, -1)
	}
	if c.thread != nil || m.boundG == g {
		moveThreadLock(c, m, g, next)
	}
	takeBack(next)
	return next
}

// moveThreadLock: LockOSThread follows the control flow, from g to next. The goroutine that
// switches must have locked the thread as c's maker had, or the two would not agree on whose the
// lock is. Pinned, or on the system stack.
//
//go:noinline
func moveThreadLock(c *Coro, m *M, g, next *G) {
	locks := uint32(0)
	if m.boundG == g {
		locks = g.lockCount
	}
	if c.thread != m || c.locks != locks {
		sys.OnSystemStack(func() { badThreadLock(c, m, locks) })
	}
	next.BoundM, next.lockCount, next.hasExtra = m, g.lockCount, true
	g.BoundM, g.lockCount = nil, 0
	next.special |= isBound
	g.special &^= isBound
	m.boundG = next
}

func badThreadLock(c *Coro, m *M, locks uint32) {
	sys.BeginReport()
	sys.PrintString("coro: thread ")
	sys.PrintInt(m.ID)
	sys.PrintString(" is locked ")
	sys.PrintUint(uint64(locks))
	sys.PrintString(" times; when the coroutine was made, ")
	if c.thread == nil {
		sys.PrintString("none was\n")
	} else {
		sys.PrintString("thread ")
		sys.PrintInt(c.thread.ID)
		sys.PrintString(" was, ")
		sys.PrintUint(uint64(c.locks))
		sys.PrintString(" times\n")
	}
	sys.Throw("coro: OS thread locking must match locking at coroutine creation")
}
