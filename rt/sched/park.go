package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/deque"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// Park blocks the current goroutine until Ready. unlock, if not nil, runs on the
// system stack once the goroutine is completely saved: a waker that needs the lock it
// releases cannot come too early. If it returns false the goroutine goes on
// at once. Goroutine stack; Locks must be what unlock releases, else 0.
func Park(unlock func(arg unsafe.Pointer) bool, arg unsafe.Pointer, reason WaitReason) {
	m := curM()
	g := m.CurG
	g.WaitReason = reason
	m.parkArg = arg
	m.parkFn = unlock
	sys.Mcall(parkG)
}

func parkG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	leave(m, g)
	unlock, arg := m.parkFn, m.parkArg
	m.parkFn, m.parkArg = nil, nil
	if tracer.On {
		traceBlock(g)
	}
	// From this store on a waker may queue the goroutine, but it holds the lock
	// that unlock releases, or there is none and the caller knows what it does.
	sys.StoreRel(&g.Status, Waiting)
	if unlock != nil && !unlock(arg) {
		takeBack(g)
		if tracer.On {
			traceUnblock(g)
		}
		return takeTurn(m, g, true)
	}
	return pickNext()
}

// takeBack undoes the park of a goroutine that nobody else can have made ready.
func takeBack(g *G) {
	if g.Status != Waiting {
		badStatus("park undone", g)
	}
	sys.StoreRel(&g.Status, Runnable)
}

// leave ends a goroutine's turn on its thread.
func leave(m *M, g *G) {
	m.CurG = nil
	g.M = nil
	if s := (*stack.Segment)(g.Segment); s.Next != nil {
		if s == &g.base {
			learnHop(g)
		}
		stack.ParkShallow((*stack.Cache)(m.Thread.SegBox), &g.Context)
	}
}

// Ready makes a parked goroutine runnable. Any stack; with a P it goes to the P's
// queue and runs next, without one to the global queue. The waker of a goroutine
// must be the only one.
func Ready(g *G) {
	t := sys.AcquireM()
	makeRunnable(g)
	if p := (*P)(t.P); p != nil {
		readyOn(p, g, true)
	} else {
		readyGlobal(g)
	}
	sys.ReleaseM()
}

// makeRunnable changes a parked goroutine's status. Its waker is alone.
//
//loam:inline
func makeRunnable(g *G) {
	if g.Status != Waiting {
		badStatus("Ready", g)
	}
	if tracer.On {
		traceReady(g)
	}
	sys.StoreRel(&g.Status, Runnable)
}

func badStatus(where string, g *G) {
	sys.BeginReport()
	sys.PrintString("runtime: ")
	sys.PrintString(where)
	sys.PrintString(": goroutine ")
	sys.PrintUint(g.ID)
	sys.PrintString(" status ")
	sys.PrintHex(uint64(g.Status))
	sys.PrintNL()
	sys.Throw("bad goroutine status")
}

// readyOn queues g on p, which the calling thread owns, and wakes an idle P for it,
// unless experience says that the waker is about to park and hand this P over.
//
// P.handoff counts, up to handoffMax, how often in a row the goroutine at the front was run by its
// own P; a thief or the monitor that finds it waiting resets it. At handoffSure the wake-up is left
// out: two goroutines that answer each other then stay on one P and make no system call. At
// handoffMax one wake-up is tried again. If the guess is wrong, the stand-by notices within two
// naps, or else the monitor.
func readyOn(p *P, g *G, next bool) {
	if p.switches-p.sampled >= sampleReady {
		timeReady(p, g)
	}
	enqueue(p, g, next && !sys.Simulated)
	if atomic.LoadUint32(&p.putOff) == 0 && toBeWoken() {
		if next && p.handoff >= handoffSure && p.runq.Empty() {
			if p.handoff < handoffMax {
				return
			}
			p.handoff = handoffSure - 1
		}
		wakeThread()
	}
}

const (
	handoffSure = 8
	handoffMax  = 10000
)

func readyGlobal(g *G) {
	global.lock.Lock()
	putGlobal(g)
	global.lock.Unlock()
	wakeThread()
}

// enqueue puts g at p's front, or at the queue's tail. A
// full queue sends half of itself to the global one.
func enqueue(p *P, g *G, next bool) {
	if next {
		// Thieves only empty the front: if it is empty nobody else writes it.
		old := (*G)(atomic.LoadPointer(&p.front))
		if old == nil || !sys.Parallel {
			sys.StoreRelPtr(&p.front, unsafe.Pointer(g))
		} else {
			old = (*G)(atomic.SwapPointer(&p.front, unsafe.Pointer(g)))
		}
		if old == nil {
			return
		}
		g = old
	}
	for !p.runq.Push(unsafe.Pointer(g)) {
		if overflowQueue(p, g) {
			return
		}
	}
}

// overflowQueue puts g, for which p's full queue has no room, on the global queue. If p's goroutine
// yields (yieldToCrowd) that is all; otherwise half of the queue goes along. False if thieves made
// room meanwhile. The calling thread is pinned.
func overflowQueue(p *P, g *G) bool {
	var batch [deque.Size / 2]unsafe.Pointer
	n := uint32(0)
	if !yieldToCrowd(p) {
		if n = p.runq.PopSome(batch[:]); n == 0 {
			return false
		}
	}
	global.lock.Lock()
	for i := uint32(0); i < n; i++ {
		global.runq.push((*G)(batch[i]))
	}
	global.runq.push(g)
	atomic.StoreInt32(&global.nRunq, global.nRunq+int32(n)+1)
	global.lock.Unlock()
	return true
}

// yieldToCrowd asks the running goroutine, which has made more others runnable than p's queue
// holds, to let them have their turns before it makes more; it goes to the global queue. Goroutines
// that end, or wait, soon after their start then find what they need still in the caches, and those
// that come after them use their cells again, where a loop of a million go statements would else
// make a million first. The calling thread is pinned.
//
// If those in the queue come back to it again and again, yielding makes no room, and a goroutine
// that makes 10,000 of them would get nowhere: fewer goroutines start, or end, between two yields
// than have their turns. Then it is not asked the next time, and each time that this happens for
// twice as long. Goroutine numbers, which p takes one after the other, tell the starts.
func yieldToCrowd(p *P) bool {
	t := sys.Self()
	if t.Want != 0 || t.G == t.G0 || CurrentG().special&isBound != 0 || atomic.LoadInt32(&global.nRunq) > crowdQueue {
		return false
	}
	if p.crowdSkip > 0 {
		p.crowdSkip--
		return false
	}
	started, turns := p.idNext-p.crowdID, p.turns-p.crowdTurn
	if started < turns/2 && p.crowdUser-p.nUser < int64(turns/2) {
		p.crowdSkip = 1 << p.crowdVain
		p.crowdVain = min(p.crowdVain+1, crowdVainMax)
	} else {
		p.crowdVain = 0
	}
	p.crowdID, p.crowdTurn, p.crowdUser = p.idNext, p.turns, p.nUser
	t.Want = 1
	return true
}

const (
	crowdVainMax = 8
	// the most that may be in the global queue: there the goroutine stands behind them
	crowdQueue = 256
)

func goschedG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	leave(m, g)
	if tracer.On {
		traceYield(g, tracer.StopYield)
	}
	if isCrowd() || sys.Simulated {
		g.WaitReason = HasYielded
	}
	sys.StoreRel(&g.Status, Runnable)
	enqueue(m.P, g, false)
	return pickNext()
}

// yieldPreempted is called by __morestack when the limit was poisoned. A goroutine that
// used up its slice goes to the global queue, so that it comes after everything that waits.
func yieldPreempted() {
	if sys.Simulated && simulation.Keeps() {
		return
	}
	sys.Mcall(preemptG)
}

func preemptG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	leave(m, g)
	requeuePreempted(m, g)
	return pickNext()
}

func requeuePreempted(m *M, g *G) {
	g.Preempt = false
	m.P.preempt = 0
	m.P.preemptions++
	m.Thread.Want = 0
	if tracer.On {
		traceYield(g, tracer.StopPreempted)
	}
	sys.StoreRel(&g.Status, Runnable)
	if p := m.P; atomic.LoadUint32(&p.asked) != 0 {
		if !answer(p, g) {
			enqueue(p, g, false) // its slice is not used up
		}
		return
	}
	global.lock.Lock()
	putGlobal(g)
	global.lock.Unlock()
}
