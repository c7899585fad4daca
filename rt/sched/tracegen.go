package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// Beginning and ending a trace, and its generations.

// TraceStart begins a trace; TraceOthers follows. Goroutine stack; TraceStart, TraceOthers,
// TraceNext and TraceStop exclude each other (overlay/runtime), and the tables of the two
// generations before are written out.
func TraceStart() {
	traceStopped(func() {
		beginGeneration()
		tracer.First = tracer.Gen
		tracer.On = true
		heap.Watch = traceHeap
		traceGC.active = heap.Marking()
		ForEachP(func(p *P) { p.trace = procTrace{} })
		tellStart()
	})
}

// TraceNext ends the current generation and begins the next. It returns the number of the one that
// ended. Like TraceStart.
func TraceNext() uint64 {
	ended := tracer.Gen
	traceStopped(func() {
		flushTrace()
		beginGeneration()
		tellStart()
	})
	TraceOthers()
	return ended
}

// TraceStop ends the trace, and returns the number of the last generation. Like TraceStart.
func TraceStop() uint64 {
	ended := tracer.Gen
	traceStopped(func() {
		flushTrace()
		tracer.On = false
		heap.Watch = nil
	})
	return ended
}

// traceStopped runs f on the system stack while nobody can be writing an event.
func traceStopped(f func()) {
	StopWorldFor(tracer.TextNone)
	sys.OnSystemStack(func() {
		global.lock.Lock()
		f()
		setDetour()
		global.lock.Unlock()
	})
	StartWorld()
}

func beginGeneration() {
	tracer.Gen++
	tracer.Reset(tracer.Gen)
}

func flushTrace() { ForEachM(flushM) }

func flushM(m *M) { m.trace.Flush(tracer.Gen) }

// tellStart writes what a generation has to begin with: the only P that is not idle, its goroutine,
// those in system calls, and settings. Others are told when something happens to them, or by
// TraceOthers.
func tellStart() {
	m := curM()
	p := m.P
	p.trace.gen, p.trace.step, p.trace.in = tracer.Gen, 0, nil
	tracer.Event(tracer.EvProcStatus, 2, uint64(p.ID), tracer.ProcRunning, 0, 0)
	tellThread(m)
	traceProcs()
	ForEachP(traceProcState)
	ForEachM(tellThread)
	ForEachP(func(p *P) { traceMarker(p) })
	if traceGC.active {
		traceGC.steps++
		tracer.Event(tracer.EvGCActive, 1, traceGC.steps, 0, 0, 0)
	}
	live, goal := heap.Level()
	tracer.Event(tracer.EvHeapAlloc, 1, live, 0, 0, 0)
	tracer.Event(tracer.EvHeapGoal, 1, goal, 0, 0, 0)
}

// tellThread tells what the goroutine of a thread does, if it has one: the caller runs, others are
// in system calls. World stopped.
func tellThread(m *M) {
	g := m.CurG
	if g == nil {
		return
	}
	status := uint64(tracer.GoSyscall)
	if m == curM() {
		status = tracer.GoRunning
	} else if atomic.LoadUint32(&g.Status) != Syscall {
		return
	}
	if s, tell := tracer.Claim(&g.trace, status); tell {
		tracer.Event(tracer.EvGoStatusStack, 4, g.ID, uint64(m.ID), s.Status(), stackOf(g))
	}
}

// TraceOthers tells the state and the stack of goroutines to which nothing has happened in the
// generation: about a microsecond for each. The world runs; it can be stopped after every few.
// Goroutine stack.
func TraceOthers() {
	const few = 64
	for c := (*cellChunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)))); c != nil; c = c.next {
		n := atomic.LoadUintptr(&c.n)
		for first := uintptr(0); first < n; first += few {
			sys.AcquireM()
			sys.OnSystemStack(func() {
				for i := first; i < min(first+few, n); i++ {
					tellParked(c.cell(i))
				}
			})
			sys.ReleaseM()
		}
	}
}

// tellParked tells the state of g if it is parked or in a queue. A thread that changes its status
// has the trace say so before, and has to tell the old status itself for that (traceState), unless
// it is told: so if nobody has since we read g.trace, the status read after it is that of the
// moment at which the trace began. What threads without P changed meanwhile, traceRun puts right.
func tellParked(g *G) {
	old := tracer.State(atomic.LoadUint64(&g.trace))
	status := uint64(0)
	switch atomic.LoadUint32(&g.Status) {
	case Runnable:
		status = tracer.GoRunnable
	case Waiting:
		status = tracer.GoWaiting
	}
	if is := tracer.BeginTelling(&g.trace, old, status); is != 0 {
		tracer.Event(tracer.EvGoStatusStack, 4, g.ID, tracer.NoThread, is, stackOf(g))
		tracer.EndTelling(&g.trace, is)
	}
}
