package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/race"
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

// leave ends a goroutine's turn on its thread.
func leave(m *M, g *G) {
	if checking {
		checkEnd(m, g)
	}
	if race.Enabled {
		g.Race.Actor().Leaves()
	}
	if global.usage {
		usageLeaves(m, g)
	}
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

// readyOn queues g on p, which the calling thread owns, and wakes an idle P for it,
// unless experience says that the waker is about to park and hand this P over.
//
// P.queue.handoff counts, up to handoffMax, how often in a row the goroutine at the front was run
// by its own P; a thief or the monitor that finds it waiting resets it. At handoffSure the wake-up
// is left out: two goroutines that answer each other then stay on one P and make no system call.
// At handoffMax one wake-up is tried again. If the guess is wrong, the stand-by notices within two
// naps, or else the monitor.
func readyOn(p *P, g *G, next bool) {
	if p.queue.switches-p.counted.sampled >= sampleReady {
		timeReady(p, g)
	}
	enqueue(p, g, next && !sys.Simulated)
	if atomic.LoadUint32(&p.outing.putOff) == 0 && toBeWoken() {
		if next && p.queue.handoff >= handoffSure && p.queue.ring.Empty() {
			if p.queue.handoff < handoffMax {
				return
			}
			guessLess(p)
		}
		wakeThread()
	}
}

func readyGlobal(g *G) {
	global.lock.Lock()
	putEvent(g)
	global.lock.Unlock()
	wakeThread()
}

func goschedG(gp unsafe.Pointer) *sys.Context {
	g := (*G)(gp)
	m := curM()
	leave(m, g)
	if tracer.On {
		traceYield(g, tracer.StopYield)
	}
	if global.usage {
		usageReady(g)
	}
	if isCrowd() || sys.Simulated {
		g.WaitReason = HasYielded
	} else {
		g.WaitReason = WaitNone
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

// requeuePreempted puts g, which was interrupted, into a queue.
func requeuePreempted(m *M, g *G) {
	g.Preempt = false
	p := m.P
	over := p.preempt == sliceOver
	p.preempt = 0
	p.counted.preemptions++
	m.Thread.Want = 0
	if tracer.On {
		traceYield(g, tracer.StopPreempted)
	}
	if global.usage {
		usageReady(g)
	}
	sys.StoreRel(&g.Status, Runnable)
	asked := atomic.LoadUint32(&p.marking.asked) != 0
	if asked && answer(p, g) {
		return
	}
	if !over && (asked || atomic.LoadUint32(&global.stopping) != 0) {
		putBack(p, g)
		return
	}
	switch {
	case sys.Simulated:
	case over:
		g.WaitReason = UsedSlice
	default:
		g.WaitReason = WasAsked
	}
	global.lock.Lock()
	putGlobal(g)
	global.lock.Unlock()
}
