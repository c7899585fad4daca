package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// Beginning and ending a trace, and its generations.

// traceFrom is the first generation of the current trace.
var traceFrom uint64

// traceGC numbers the begins and ends of collections, through all generations.
var traceGC struct {
	steps  uint64
	active bool
	stop   tracer.Text // owned by who has worldSema
}

// stacksTold bounds the parked goroutines whose stacks a generation begins with: that is done with the world stopped.
const stacksTold = 1000

// TraceStart begins a trace. Goroutine stack; TraceStart, TraceNext and TraceStop exclude each other (overlay/runtime), and the
// tables of the two generations before are written out.
func TraceStart() {
	traceStopped(func() {
		beginGeneration()
		traceFrom = tracer.Gen
		tracer.On = true
		heap.Watch = traceHeap
		traceGC.active = heap.Marking()
		ForEachP(func(p *P) { p.trace = procTrace{} })
		ForEachG(initTrace)
		tellStart()
	})
	tellOthers()
}

// initTrace notes what g does when a trace begins. What threads without P change meanwhile is seen, or put right
// by traceRun.
func initTrace(g *G) {
	status := uint64(0)
	switch atomic.LoadUint32(&g.Status) {
	case Runnable:
		status = tracer.GoRunnable
	case Running:
		status = tracer.GoRunning
	case Syscall:
		status = tracer.GoSyscall
	case Waiting:
		status = tracer.GoWaiting
	default:
		g.trace = 0
		return
	}
	g.trace = uint64(tracer.NewState(tracer.Gen-1, status))
}

// TraceNext ends the current generation and begins the next. It returns the number of the one that ended. Like TraceStart.
func TraceNext() uint64 {
	ended := tracer.Gen
	traceStopped(func() {
		flushTrace()
		beginGeneration()
		tellStart()
	})
	tellOthers()
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

// tellStart writes what a generation has to begin with: the only P that is not idle, its goroutine, those in
// system calls, and settings. Others are told when something happens to them, or by tellOthers; some of
// those that are parked are told here, because their stacks can be read now.
func tellStart() {
	m := curM()
	p := m.P
	p.trace.gen, p.trace.step, p.trace.in = tracer.Gen, 0, nil
	tracer.Event(tracer.EvProcStatus, 2, uint64(p.ID), tracer.ProcRunning, 0, 0)
	tell(m.CurG)
	traceProcs()
	ForEachP(traceProcState)
	told.left = stacksTold
	ForEachG(tellStopped)
	ForEachP(func(p *P) { traceMarker(p) })
	if traceGC.active {
		traceGC.steps++
		tracer.Event(tracer.EvGCActive, 1, traceGC.steps, 0, 0, 0)
	}
	live, goal := heap.Level()
	tracer.Event(tracer.EvHeapAlloc, 1, live, 0, 0, 0)
	tracer.Event(tracer.EvHeapGoal, 1, goal, 0, 0, 0)
}

var told struct{ left int }

func tellStopped(g *G) {
	if s := tracer.State(g.trace); s == 0 || s.Current() {
		return
	} else if s.Status() != tracer.GoSyscall {
		if told.left == 0 {
			return
		}
		told.left--
	}
	tell(g)
}

// tell writes the state of a goroutine with its stack. World stopped.
func tell(g *G) {
	s, _ := tracer.Claim(&g.trace)
	m := tracer.NoThread
	if x := g.M; x != nil {
		m = uint64(x.ID)
	}
	tracer.Event(tracer.EvGoStatusStack, 4, g.ID, m, s.Status(), stackOf(g))
}

// tellOthers tells the state of goroutines to which nothing has happened in the generation. The world
// runs; it can be stopped after each chunk of slots. Goroutine stack.
func tellOthers() {
	for c := (*slotChunk)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&chunks)))); c != nil; c = c.next {
		sys.AcquireM()
		sys.OnSystemStack(func() {
			n := atomic.LoadUintptr(&c.n)
			for i := uintptr(0); i < n; i++ {
				traceState(c.slot(i))
			}
		})
		sys.ReleaseM()
	}
}

// newID returns a number for something that is listed as a goroutine in traces.
func newID() uint64 { return atomic.AddUint64(&global.nextID, 16) - 15 }
