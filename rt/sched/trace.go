package sched

import (
	"sync/atomic"
	_ "unsafe" // for go:linkname

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// The events of the scheduler for execution traces (rt/tracer). Each function is called where the
// thing happens, if tracer.On; so that is all that tracing costs while it is off. While it is on
// goroutines do not switch directly (setDetour), and the paths through schedule are the only ones
// to watch.
//
// An event is written by the thread that makes it happen, and before others can see what happened:
// what they make of it comes later in time then. The caller holds a P, or global.lock, or (the
// monitor) a P that it took from a system call and has not passed on; each of these keeps the world
// from being stopped and so the generation from ending.
//
// The functions are not inlined: where they are called there should be a load, a branch and a call
// out of the way.

// procTrace is what the tracer knows of a P. Owner of the P.
type procTrace struct {
	gen  uint64 // generation in which its status was told
	step uint64 // numbered steps in it
	in   *M     // thread that is in a system call with the P, nil if none or the P was taken from it

	// The goroutine that stands for the P's marking between goroutines; see traceMarkBegin.
	marker   uint64 // its number
	markerIs uint64 // tracer.State
}

// onSystem runs f on the system stack: a goroutine's has no room.
func onSystem(f func()) {
	if sys.OnSystem() {
		f()
	} else {
		sys.OnSystemStack(f)
	}
}

// traceState returns the state of g, which does not run, told in this generation; status is what it
// does if the trace does not know.
func traceState(g *G, status uint64) tracer.State {
	s, tell := tracer.Claim(&g.trace, status)
	if tell {
		tracer.Event(tracer.EvGoStatusStack, 4, g.ID, tracer.NoThread, s.Status(), stackOf(g))
	}
	return s
}

// traceCreate: g was made; it waits to be switched to (a coroutine), or is about to be queued.
//
//go:noinline
func traceCreate(g *G, waits bool) {
	onSystem(func() {
		ev, status := uint8(tracer.EvGoCreate), uint64(tracer.GoRunnable)
		if waits {
			ev, status = tracer.EvGoCreateBlocked, tracer.GoWaiting
		}
		start := g.StartPC() + 1
		tracer.Event(ev, 3, g.ID, tracer.Stack(&start, 1), currentStack(), 0)
		g.trace = uint64(tracer.NewState(tracer.Gen, status))
	})
}

// traceRun: the current P is about to run g.
//
//go:noinline
func traceRun(g *G) {
	if s := tracer.State(g.trace); s.Known() && s.Status() == tracer.GoRunning {
		return // by traceSwitch or traceExit
	}
	s := traceState(g, tracer.GoRunnable)
	if s.Status() == tracer.GoWaiting {
		// Made ready by a thread without P just before the trace began, and told by tellParked
		// before it was.
		traceUnblock(g)
		s = tracer.State(g.trace)
	}
	s = s.Next(tracer.GoRunning)
	g.trace = uint64(s)
	tracer.Event(tracer.EvGoStart, 2, g.ID, s.Step(), 0, 0)
}

// traceBlock: g, the goroutine that ran here, parks. System stack.
//
//go:noinline
func traceBlock(g *G) {
	tracer.Event(tracer.EvGoBlock, 2, uint64(blockText(g.WaitReason)), stackOf(g), 0, 0)
	g.trace = uint64(tracer.State(g.trace).With(tracer.GoWaiting))
}

// traceYield: g stops but stays runnable. System stack.
//
//go:noinline
func traceYield(g *G, why tracer.Text) {
	tracer.Event(tracer.EvGoStop, 2, uint64(why), stackOf(g), 0, 0)
	g.trace = uint64(tracer.State(g.trace).With(tracer.GoRunnable))
}

// traceReady: somebody makes g runnable. Any stack, any thread; without a P, global.lock is not
// held.
//
//go:noinline
func traceReady(g *G) {
	onSystem(func() {
		if curP() != nil {
			traceUnblock(g)
			return
		}
		global.lock.Lock()
		if tracer.On {
			traceUnblock(g)
		}
		global.lock.Unlock()
	})
}

func traceUnblock(g *G) {
	s := traceState(g, tracer.GoWaiting)
	if s.Status() != tracer.GoWaiting {
		return
	}
	s = s.Next(tracer.GoRunnable)
	g.trace = uint64(s)
	tracer.Event(tracer.EvGoUnblock, 3, g.ID, s.Step(), currentStack(), 0)
}

// traceExit: g ends; next, if not nil, goes on in its place.
//
//go:noinline
func traceExit(g, next *G) {
	g.trace = uint64(tracer.DeadState())
	if next == nil {
		tracer.Event(tracer.EvGoDestroy, 0, 0, 0, 0, 0)
		return
	}
	traceSwitchEvent(tracer.EvGoSwitchDestroy, next)
}

// traceSwitch: the coroutine next goes on in the place of g, which waits.
//
//go:noinline
func traceSwitch(g, next *G) {
	onSystem(func() {
		traceSwitchEvent(tracer.EvGoSwitch, next)
		g.trace = uint64(tracer.State(g.trace).With(tracer.GoWaiting))
	})
}

func traceSwitchEvent(ev uint8, next *G) {
	s := traceState(next, tracer.GoWaiting).Next(tracer.GoRunning)
	next.trace = uint64(s)
	tracer.Event(ev, 2, next.ID, s.Step(), 0, 0)
}

// System calls.

// traceSyscall: g, the current goroutine, is about to make a system call.
//
//go:noinline
func traceSyscall(g *G) {
	onSystem(func() {
		p := curP()
		p.trace.step++
		p.trace.in = curM()
		tracer.Event(tracer.EvGoSyscallBegin, 2, p.trace.step, stackOf(g), 0, 0)
		g.trace = uint64(tracer.State(g.trace).With(tracer.GoSyscall))
	})
}

// traceSyscallSame: the call is over, and the thread has got the P with which it began it.
//
//go:noinline
func traceSyscallSame(g *G) {
	onSystem(func() {
		p := curP()
		if p.trace.in == curM() {
			p.trace.in = nil
			tracer.Event(tracer.EvGoSyscallEnd, 0, 0, 0, 0, 0)
			g.trace = uint64(tracer.State(g.trace).With(tracer.GoRunning))
			return
		}
		// Others had the P meanwhile; the last of them was in a system call itself.
		traceProcSteal(p)
		traceProcStart(p)
		traceSyscallBlocked(g)
	})
}

// traceSyscallBlocked: the call is over, the P was lost, and the thread has got another one.
//
//go:noinline
func traceSyscallBlocked(g *G) {
	onSystem(func() {
		traceSyscallEnd(g)
		traceRun(g)
	})
}

// traceSyscallEnd: the call is over and the P was lost. With a P or global.lock. This generation
// knows of the call: tellStart told those of all threads.
func traceSyscallEnd(g *G) {
	if s := tracer.State(g.trace); s.Known() && s.Status() == tracer.GoSyscall {
		tracer.Event(tracer.EvGoSyscallEndBlocked, 0, 0, 0, 0, 0)
		g.trace = uint64(s.With(tracer.GoRunnable))
	}
}

// Ps.

// traceProcStart: the thread has got p.
//
//go:noinline
func traceProcStart(p *P) {
	onSystem(func() {
		traceProcState(p)
		p.trace.step++
		tracer.Event(tracer.EvProcStart, 2, uint64(p.ID), p.trace.step, 0, 0)
	})
}

// traceProcState tells that p is idle, if this generation does not know about it.
func traceProcState(p *P) {
	if p.trace.gen != tracer.Gen {
		p.trace.gen, p.trace.step, p.trace.in = tracer.Gen, 0, nil
		tracer.Event(tracer.EvProcStatus, 2, uint64(p.ID), tracer.ProcIdle, 0, 0)
	}
}

//go:noinline
func traceProcStop() { tracer.Event(tracer.EvProcStop, 0, 0, 0, 0, 0) }

// traceProcSteal: p was taken from a thread that is in a system call, maybe the current one.
//
//go:noinline
func traceProcSteal(p *P) {
	m := p.trace.in
	p.trace.in = nil
	p.trace.step++
	tracer.Event(tracer.EvProcSteal, 3, uint64(p.ID), p.trace.step, uint64(m.ID), 0)
}

func traceProcs() {
	tracer.Event(tracer.EvProcsChange, 2, uint64(nProcs), currentStack(), 0, 0)
}

// Stopping the world. System stack.

//go:noinline
func traceWorldStop() {
	if global.stopReason != tracer.TextNone {
		global.stopTraced = true
		tracer.Event(tracer.EvSTWBegin, 2, uint64(global.stopReason), currentStack(), 0, 0)
	}
}

//go:noinline
func traceWorldStart() {
	if global.stopTraced {
		global.stopTraced = false
		tracer.Event(tracer.EvSTWEnd, 0, 0, 0, 0, 0)
	}
}

// Marking by Ps. In the trace it is done by a goroutine of the P's, which exists nowhere else:
// tools show the time that it takes, and the events of a collection's end need somebody who makes
// them.

// markerStart is what such a goroutine seems to run; named so that tools take it for the run-time
// system's. Not inlined: its func value must lead to its name.
//
//go:noinline
//go:linkname markerStart runtime.markWorker
func markerStart() {}

// traceMarkBegin and traceMarkEnd enclose a slice of marking. Owner of p, no goroutine current.
//
//go:noinline
func traceMarkBegin(p *P, label tracer.Text) {
	t := &p.trace
	if !tracer.State(t.markerIs).Known() {
		t.marker = newID()
		start := sys.CodeOf(markerStart) + 1
		tracer.Event(tracer.EvGoCreate, 3, t.marker, tracer.Stack(&start, 1), 0, 0)
		t.markerIs = uint64(tracer.NewState(tracer.Gen, tracer.GoRunnable))
	} else {
		s := traceMarker(p).Next(tracer.GoRunnable)
		tracer.Event(tracer.EvGoUnblock, 3, t.marker, s.Step(), 0, 0)
		t.markerIs = uint64(s)
	}
	s := tracer.State(t.markerIs).Next(tracer.GoRunning)
	t.markerIs = uint64(s)
	tracer.Event(tracer.EvGoStart, 2, t.marker, s.Step(), 0, 0)
	tracer.Event(tracer.EvGoLabel, 1, uint64(label), 0, 0, 0)
}

//go:noinline
func traceMarkEnd(p *P) {
	tracer.Event(tracer.EvGoBlock, 2, uint64(tracer.BlockSystem), 0, 0, 0)
	p.trace.markerIs = uint64(tracer.State(p.trace.markerIs).With(tracer.GoWaiting))
}

// traceMarker returns the state of p's marker, told in this generation.
func traceMarker(p *P) tracer.State {
	s, tell := tracer.Claim(&p.trace.markerIs, 0)
	if tell {
		tracer.Event(tracer.EvGoStatusStack, 4, p.trace.marker, tracer.NoThread, s.Status(), 0)
	}
	return s
}

// heapStops are the reasons of heap.WatchStopping.
var heapStops = [...]tracer.Text{
	heap.StopForMark:     tracer.WorldSweepTermination,
	heap.StopForEnd:      tracer.WorldMarkTermination,
	heap.StopForSettings: tracer.WorldUnknown,
	heap.StopForDump:     tracer.WorldHeapDump,
}

// traceHeap writes the heap's events; see heap.Watch.
func traceHeap(e heap.WatchEvent, a, b uint64) {
	if curP() == nil || !tracer.On {
		return
	}
	onSystem(func() {
		switch e {
		case heap.WatchStopping:
			traceGC.stop = heapStops[a]
		case heap.WatchCycleBegin:
			traceGC.steps++
			tracer.Event(tracer.EvGCBegin, 2, traceGC.steps, currentStack(), 0, 0)
			traceGC.active = true
		case heap.WatchCycleEnd:
			traceGC.steps++
			tracer.Event(tracer.EvGCEnd, 1, traceGC.steps, 0, 0, 0)
			traceGC.active = false
		case heap.WatchAssistBegin:
			tracer.Event(tracer.EvGCMarkAssistBegin, 1, currentStack(), 0, 0, 0)
		case heap.WatchAssistEnd:
			tracer.Event(tracer.EvGCMarkAssistEnd, 0, 0, 0, 0, 0)
		case heap.WatchSweepBegin:
			tracer.Event(tracer.EvGCSweepBegin, 1, currentStack(), 0, 0, 0)
		case heap.WatchSweepEnd:
			tracer.Event(tracer.EvGCSweepEnd, 2, a, b, 0, 0)
		case heap.WatchLive:
			tracer.Event(tracer.EvHeapAlloc, 1, a, 0, 0, 0)
		case heap.WatchGoal:
			tracer.Event(tracer.EvHeapGoal, 1, a, 0, 0, 0)
		}
	})
}

// The program's annotations. Goroutine stack.

// TraceTask writes the begin or the end of a user task.
func TraceTask(begin bool, id, parent uint64, name string) {
	traceUser(func() {
		if begin {
			tracer.Event(tracer.EvUserTaskBegin, 4, id, parent, tracer.String(tracer.Gen, name), currentStack())
		} else {
			tracer.Event(tracer.EvUserTaskEnd, 2, id, currentStack(), 0, 0)
		}
	})
}

// TraceRegion writes the begin or the end of a region of the current goroutine in a task.
func TraceRegion(begin bool, task uint64, name string) {
	traceUser(func() {
		ev := uint8(tracer.EvUserRegionEnd)
		if begin {
			ev = tracer.EvUserRegionBegin
		}
		tracer.Event(ev, 3, task, tracer.String(tracer.Gen, name), currentStack(), 0)
	})
}

// TraceLog writes a message in a task.
func TraceLog(task uint64, category, message string) {
	traceUser(func() {
		tracer.Event(tracer.EvUserLog, 4, task, tracer.String(tracer.Gen, category), tracer.String(tracer.Gen, message), currentStack())
	})
}

func traceUser(write func()) {
	if !tracer.On {
		return
	}
	sys.AcquireM()
	if tracer.On {
		sys.OnSystemStack(write)
	}
	sys.ReleaseM()
}

// Stacks.

// currentStack returns the number of the stack of the goroutine in whose name the thread is on its
// system stack.
func currentStack() uint64 {
	if g := curM().CurG; g != nil {
		return stackOf(g)
	}
	return 0
}

// stackOf returns the number of the stack of a goroutine that does not run, or whose thread is on
// its system stack.
func stackOf(g *G) uint64 {
	var pcs [tracer.MaxFrames]uintptr
	return tracer.Stack(&pcs[0], g.returnAddresses(&pcs))
}

// returnAddresses walks the frame pointers, as far as they stay on g's stack.
func (g *G) returnAddresses(pcs *[tracer.MaxFrames]uintptr) int {
	seg := (*stack.Segment)(g.Segment)
	var pc, fp uintptr
	switch uc := g.pre.uc; {
	case g.Status == Syscall:
		pc, fp, seg = g.Sys.PC, g.Sys.BP, (*stack.Segment)(g.Sys.Segment)
	case uc != nil:
		pc, fp = uintptr(uc.RIP)+1, uintptr(uc.RBP)
	default:
		fp, pc = *(*uintptr)(sys.Ptr(g.SP + 40)), *(*uintptr)(sys.Ptr(g.SP + 48))
		if pc == goStartPC {
			pc = g.StartPC() + 1
			fp = 0
		}
	}
	n := 0
	for pc != 0 {
		pcs[n] = pc
		n++
		for seg != nil && (fp < seg.Lo || fp+16 > seg.Hi) {
			seg = seg.Prev
		}
		if seg == nil || n == len(pcs) || fp&7 != 0 {
			break
		}
		if in := sys.EnteredAt(pc, fp); in != 0 {
			pcs[n-1] = in
		}
		pc = *(*uintptr)(sys.Ptr(fp + 8))
		up := *(*uintptr)(sys.Ptr(fp))
		if up <= fp && up >= seg.Lo {
			break
		}
		fp = up
	}
	return n
}

// blockText translates reasons into the words of the format.
func blockText(r WaitReason) tracer.Text {
	switch r {
	case WaitSleep:
		return tracer.BlockSleep
	case WaitIO:
		return tracer.BlockNet
	case WaitChanReceive:
		return tracer.BlockChanReceive
	case WaitChanSend:
		return tracer.BlockChanSend
	case WaitChanReceiveNil, WaitChanSendNil, WaitSelectNoCases:
		return tracer.BlockForever
	case WaitSelect:
		return tracer.BlockSelect
	case WaitSemacquire, WaitMutex, WaitRWMutexR, WaitRWMutex, WaitWaitGroup:
		return tracer.BlockSync
	case WaitCond:
		return tracer.BlockCond
	case WaitSynctestRun, WaitSynctest, WaitSynctestChanReceive, WaitSynctestChanSend, WaitSynctestSelect, WaitSynctestWaitGroup:
		return tracer.BlockSynctest
	case WaitFinalizer, WaitCleanup, WaitTraceReader, WaitForceGC:
		return tracer.BlockSystem
	case WaitStopWorld:
		// mostly a collection is what has stopped the world, or is about to
		return tracer.BlockUntilGCEnds
	}
	return tracer.BlockUnspecified
}

// newID returns a number for something that is listed as a goroutine in traces.
func newID() uint64 { return atomic.AddUint64(&global.nextID, 16) - 15 }

// traceGC numbers the begins and ends of collections, through all generations.
var traceGC struct {
	steps  uint64
	active bool
	stop   tracer.Text // owned by the thread that has the world
}
