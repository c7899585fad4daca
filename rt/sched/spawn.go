package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// NewProc starts a goroutine that calls the closure fn (of type func()). callerPC
// is the address in the go statement's function. Goroutine or system stack, with a P.
func NewProc(fn unsafe.Pointer, callerPC uintptr) *G {
	t := sys.AcquireM()
	p := (*P)(t.P)
	g := newG(p, fn, callerPC, learnedClass(fn))
	begin(p, g)
	sys.ReleaseM()
	return g
}

// NewProcFrom is NewProc with what tracebacks say of the goroutine's ancestors, which it keeps
// until it ends.
//
//go:noinline
func NewProcFrom(fn unsafe.Pointer, callerPC uintptr, ancestors unsafe.Pointer) *G {
	t := sys.AcquireM()
	p := (*P)(t.P)
	g := newG(p, fn, callerPC, learnedClass(fn))
	g.Ancestors, g.hasExtra = ancestors, true
	if heap.Marking() {
		heap.Shade(ancestors)
	}
	begin(p, g)
	sys.ReleaseM()
	return g
}

// begin counts and queues a goroutine of the program's that newG has made.
//
//loam:inline
func begin(p *P, g *G) {
	if g.Bubble != nil {
		bubbleStart(g)
	}
	p.userBegins()
	if tracer.On {
		traceCreate(g, false)
	}
	if global.usage {
		usageBegins(p, g)
	}
	readyOn(p, g, true)
}

// userBegins and userEnds count the goroutines of the program's that begin and end on p. Its owner.
//
//loam:inline
func (p *P) userBegins() { p.born.nUser++ }

//loam:inline
func (p *P) userEnds() { p.born.nUser-- }

// NewSystem starts a goroutine that does not count for deadlock detection, and has nothing of the
// one that runs. Tracebacks that show the run-time system say that its caller has created it.
// Goroutine or system stack, with a P.
//
//go:noinline
func NewSystem(fn func()) *G {
	callerPC := sys.CallerPC()
	t := sys.AcquireM()
	p := (*P)(t.P)
	g := newSystemG(p, fn, callerPC, false)
	readyOn(p, g, false)
	sys.ReleaseM()
	return g
}

// newSystemG is newG for a goroutine of the run-time system's, with a cell of the largest class.
func newSystemG(p *P, fn func(), callerPC uintptr, waits bool) *G {
	g := newG(p, *(*unsafe.Pointer)(unsafe.Pointer(&fn)), callerPC, cellClasses-1)
	g.System = true
	g.Bubble, g.Labels, g.FipsBypass = nil, nil, false
	atomic.AddInt64(&global.nSystem, 1)
	if tracer.On {
		traceCreate(g, waits)
	}
	return g
}

// firstFrame is what the first switch to a goroutine, whose G ends its cell, pops: six registers
// and the address of GoStart, which finds the closure in rbx. Only these two matter; other words
// would keep objects of the cell's last user alive until it runs.
type firstFrame struct {
	r15, r14, r13, r12 uintptr
	rbx                unsafe.Pointer
	rbp, ret, _, _     uintptr // 16-aligned after ret
}

// newG takes a dead goroutine and makes it ready to start; the caller queues it.
// p is owned by the calling thread, which is pinned.
//
//loam:inline
func newG(p *P, fn unsafe.Pointer, callerPC uintptr, class uint8) *G {
	if fn == nil {
		sys.Throw("go of nil func value")
	}
	g := p.born.free[class]
	if g == nil {
		refillFree(p, class)
		g = p.born.free[class]
	}
	p.born.free[class] = g.QueueNext
	p.born.nFree[class]--
	sys.Prefetch(unsafe.Pointer(g.QueueNext))
	sys.Prefetch(unsafe.Add(unsafe.Pointer(g.QueueNext), -64))

	f := (*firstFrame)(unsafe.Add(unsafe.Pointer(g), -int(unsafe.Sizeof(firstFrame{}))))
	*f = firstFrame{rbx: fn, ret: goStartPC}
	g.SP = uintptr(unsafe.Pointer(f))
	g.startPC = *(*uintptr)(fn)
	g.CreatorPC = callerPC
	g.dirty = true
	if parent := CurrentG(); parent != nil {
		g.CreatorID = parent.ID
		g.Labels = parent.Labels
		g.Bubble = parent.Bubble
		g.FipsBypass = parent.FipsBypass
	} else {
		g.CreatorID = 0 // a timer's
	}
	if heap.Marking() {
		// Until it runs nobody looks at its stack again, nor at its G: no stale registers.
		g.Sys = sys.SyscallRegs{PC: parkedPC()}
		heap.Shade(fn)
		heap.Shade(g.Labels)
	}
	if p.born.idNext == p.born.idEnd {
		p.born.idEnd = atomic.AddUint64(&global.nextID, 16)
		p.born.idNext = p.born.idEnd - 16
	}
	p.born.idNext++
	g.ID = p.born.idNext
	if race.Enabled {
		raceSpawned(g)
	}
	sys.StoreRel(&g.Status, Runnable)
	return g
}

// Provided by rt/park: the goroutines of a synctest bubble are counted.

//go:linkname bubbleStart loam/rt/park.bubbleStart
func bubbleStart(g *G)

//go:linkname bubbleExit loam/rt/park.bubbleExit
func bubbleExit(g *G)

//go:linkname bubbleCoro loam/rt/park.bubbleCoro
func bubbleCoro(g *G, n int32)

// exitG recycles a goroutine's cell. System stack.
func exitG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	p := m.P
	var resume *G
	if g.coro != nil {
		resume = leaveCoro(m, g)
	}
	if tracer.On {
		traceExit(g, resume)
	}
	if global.usage {
		usageEnds(m, g)
	}
	m.CurG = nil
	if g.System {
		atomic.AddInt64(&global.nSystem, -1)
	} else {
		p.userEnds()
	}
	bound := g.special&isBound != 0
	if g.Bubble != nil && g.coro == nil {
		bubbleExit(g)
	}
	if race.Enabled {
		raceEnded(g)
	}
	g.resetStack(p)
	g.resetExtra()
	g.reset()
	sys.StoreRel(&g.Status, Dead)
	if checking {
		checkDead(p, g)
	}
	p.putFree(g)
	if p.born.nFree[g.class] >= freeMax {
		spillFree(p, g.class)
	}
	if bound {
		m.boundG = nil
		if m == &m0 {
			retireMain(m)
		}
		exitM(m)
	}
	if resume != nil {
		return takeTurn(m, resume, true)
	}
	return pickNext()
}

// isPlain says that g can end without the scheduler: nobody waits for its end, and all
// it has is its cell.
//
//loam:inline
func (g *G) isPlain() bool {
	return g.Segment == unsafe.Pointer(&g.base) && !g.hasExtra && g.Bubble == nil && !g.System && !g.base.Moved()
}

// resetStack leaves a dead goroutine nothing but its cell.
func (g *G) resetStack(p *P) {
	g.base.ResetBoundary()
	g.Segment = unsafe.Pointer(&g.base)
	g.Limit = g.base.Limit
	if n := g.base.Next; n != nil {
		learnHop(g)
		g.base.Next = nil
		stack.Release(&p.Segs, n)
	}
}

// reset clears what must not be seen by the next user of the cell.
//
//loam:inline
func (g *G) reset() {
	g.DeferFrame = nil
	g.Panic = nil
	g.WaitReason = WaitNone
	g.Preempt = false
	g.special = 0
	g.M = nil
	g.startPC = 0
	g.Labels = nil
	g.Bubble = nil
	g.System = false
	g.Finalizer = false
	g.PanicOnFault = false
	g.FipsState = 0
	g.FipsBypass = false
	g.Dying = 0
}

// resetExtra does the same for what few goroutines have.
func (g *G) resetExtra() {
	if g.hasExtra {
		g.hasExtra = false
		g.BoundM = nil
		g.coro = nil
		g.lockCount = 0
		g.Ancestors, g.stored = nil, nil
		if g.pre.buf != 0 {
			freePreemptBuf(g)
		}
	}
}
