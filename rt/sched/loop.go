package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sys"
	"loam/rt/tracer"
)

const never = 1<<63 - 1

// timerNs is the least distance of two looks at the clock on the fast path, in nanoseconds.
const timerNs = 3000

// globalEvery is how many turns a P gives to its own queue before it looks at the global one.
const globalEvery = 64

// Provided by the owners of the timer heaps and the poller (docs/concepts.md).

//go:linkname timerRun loam/rt/timer.Run
func timerRun(p int32, now int64) (next int64)

//go:linkname timerShrink loam/rt/timer.Shrink
func timerShrink(n int32) (next int64)

//go:linkname timerNextAll loam/rt/timer.NextAll
func timerNextAll() int64

//go:linkname netPoll loam/rt/netpoll.Poll
func netPoll(delay int64) *G

//go:linkname netBreak loam/rt/netpoll.Break
func netBreak()

//go:linkname netWaiters loam/rt/netpoll.Waiters
func netWaiters() int32

// pickNext finds the goroutine to run next and makes it current; the caller, or Mcall for it,
// continues its Context. System stack, no goroutine current.
func pickNext() *sys.Context {
	m := curM()
	for {
		if m.Thread.Locks != 0 {
			sys.Throw("scheduling with locks held")
		}
		if m.boundG != nil {
			waitForLockedG(m)
			return takeTurn(m, m.boundG, false)
		}
		p := m.P
		if p.preempt != 0 {
			p.preempt = 0
			demoteNext(p)
		}
		if atomic.LoadUint32(&p.putOff) != 0 {
			outingLasts(p)
		}
		if atomic.LoadUint32(&global.stopping) != 0 {
			stopForWorld(m)
			continue
		}
		if heap.Marking() {
			if atomic.LoadUint32(&p.asked) != 0 {
				answer(p, nil)
			}
			if markShare(p) {
				continue
			}
		}
		if tracer.On {
			traceFeedReader(p)
		}
		if sys.Simulated {
			return takeTurn(m, simulation.Next(p), false)
		}
		g, sameSlice := next(m, p)
		if jitter.on {
			g, sameSlice = jitterNext(m, g, sameSlice)
		}
		if m.searching {
			stopSearching(m)
		}
		if atomic.LoadUint32(&global.stopping) != 0 {
			enqueue(m.P, g, true) // the thread that stops the world saw nothing to interrupt here
			continue
		}
		if g.special&isBound != 0 && g.BoundM != m {
			runOnLockedM(m, g)
			continue
		}
		return takeTurn(m, g, sameSlice)
	}
}

// next is the fast path of finding work: due timers, now and then the global queue, then
// the P's own queue.
func next(m *M, p *P) (g *G, sameSlice bool) {
	if p.timerNext != 0 && sys.SinceTick(p.timerTSC) > timerNs {
		checkTimers(p)
	}
	// P's own queue need never be empty: the global one has its turn in between.
	if p.turns%globalEvery == 0 && atomic.LoadInt32(&global.nRunq) > 0 {
		if mayRotate(p) {
			g = rotate(p)
		} else {
			global.lock.Lock()
			g = popGlobal()
			global.lock.Unlock()
		}
		if g != nil {
			return g, false
		}
	}
	if n := takeNext(p); n != nil {
		p.handoff++
		return n, true
	}
	if q := (*G)(p.runq.Pop()); q != nil {
		if isCrowd() {
			fetchAhead(p)
		}
		return q, false
	}
	return findWork(m)
}

// fetchAhead asks for what switching to the next goroutines in p's queue will touch: of one the
// descriptor, and of one before it, whose descriptor was asked for two turns ago, the top of its
// stack. Only where there are more goroutines than a queue holds: those of a short queue are in the
// cache, and a thief that is made faster with them takes more (a hundred short ones took a third
// longer on two Ps). Owner of p.
func fetchAhead(p *P) {
	if g := (*G)(p.runq.Ahead(4)); g != nil {
		sys.Prefetch(unsafe.Pointer(g))
		sys.Prefetch(unsafe.Pointer(&g.base))
	}
	if g := (*G)(p.runq.Ahead(2)); g != nil {
		sp := g.SP
		sys.Prefetch(unsafe.Pointer(sp))
		sys.Prefetch(unsafe.Pointer(sp + 64))
	}
}

// takeNext empties p's front. Owner of p.
func takeNext(p *P) *G {
	if atomic.LoadPointer(&p.front) == nil {
		return nil
	}
	return (*G)(atomic.SwapPointer(&p.front, nil))
}

// demoteNext moves the goroutine at p's front behind those in the queue: the slice that it would
// share is used up.
func demoteNext(p *P) {
	if n := takeNext(p); n != nil {
		enqueue(p, n, false)
	}
}

// checkTimers runs what is due in p's heap. Owner of p, system stack.
func checkTimers(p *P) {
	p.timerTSC = sys.Rdtsc()
	now := sys.Clock()
	if now < p.timerNext {
		return
	}
	setTimerNext(p, timerRun(p.ID, now))
}

func setTimerNext(p *P, t int64) {
	if t == never {
		t = 0
	}
	atomic.StoreInt64(&p.timerNext, t)
}

// takeTurn makes g the goroutine of the current thread and returns its Context; one that a
// signal preempted it continues itself. A goroutine that was woken
// by the one before it (sameSlice) shares its time slice, so that two that wake each other
// cannot keep the thread for ever.
func takeTurn(m *M, g *G, sameSlice bool) *sys.Context {
	p := m.P
	if tracer.On {
		traceRun(g)
	}
	m.CurG = g
	g.M = m
	g.dirty = true
	g.Preempt = false
	sys.StoreRel(&g.Status, Running)
	if heap.Marking() {
		ranWhileMarking(g)
	}
	if sys.Simulated {
		g.special |= isWatched
		simulation.Turn(m.Thread, g)
	} else if jitter.on {
		jitterRun(m, g)
	}
	p.switches++
	if !sameSlice {
		p.turns++
	}
	if g.special&(isPreempted|isTimed) != 0 {
		if g.special&isTimed != 0 {
			timeRunning(g)
		}
		if g.special&isPreempted != 0 {
			resumePreempted(m, g)
		}
	}
	return &g.Context
}

// findWork looks everywhere, and if there is nothing gives the P back and
// sleeps. It returns with a P, not necessarily the same one.
func findWork(m *M) (g *G, sameSlice bool) {
	for {
		p := m.P
		if atomic.LoadUint32(&global.stopping) != 0 {
			stopForWorld(m)
			continue
		}
		if tracer.On {
			traceFeedReader(p)
		}
		now := sys.Nanotime()
		if clock := timerClock(now); timerNextAll() <= clock {
			runAllTimers(clock)
		}
		if n := takeNext(p); n != nil {
			return n, true
		}
		if q := (*G)(p.runq.Pop()); q != nil {
			return q, false
		}
		if atomic.LoadInt32(&global.nRunq) != 0 {
			global.lock.Lock()
			g = takeShare(p)
			global.lock.Unlock()
			if g != nil {
				return g, false
			}
		}
		atomic.StoreInt64(&p.lookedAt, now)
		// What the network has made ready; without waiting, and not if
		// another thread waits there anyway.
		if netWaiters() > 0 && atomic.LoadInt64(&global.polledAt) != 0 {
			if list := netPoll(0); list != nil {
				g = list
				rest := g.QueueNext
				g.QueueNext = nil
				makeRunnable(g)
				injectList(rest)
				return g, false
			}
		}
		// Steal if another P works, but let no more threads search than half of those that do.
		working := uint32(nProcs) - atomic.LoadUint32(&counts.nIdleP)
		if m.searching || working > 1 && 2*atomic.LoadUint32(&counts.nSearching) < working {
			if !m.searching {
				m.searching = true
				atomic.AddUint32(&counts.nSearching, 1)
			}
			if g = stealAny(m); g != nil {
				return g, false
			}
			if m.P != nil {
				if g = spinForWork(m); g != nil {
					return g, false
				}
			}
			if m.P == nil {
				restWithoutP(m)
				continue
			}
		}
		if heap.Marking() {
			if m.searching {
				stopSearching(m)
			}
			if markIdle() {
				continue
			}
		}
		if g = goIdle(m); g != nil {
			return g, false
		}
	}
}

// injectList makes a list of parked goroutines runnable: with a P on its queue,
// without on the global one; and wakes as many threads as there is work and idle Ps.
func injectList(list *G) {
	if list == nil {
		return
	}
	p := curP()
	var q runList
	n := int32(0)
	for list != nil {
		g := list
		list = g.QueueNext
		g.QueueNext = nil
		makeRunnable(g)
		if p == nil || !p.runq.Push(unsafe.Pointer(g)) {
			q.push(g)
			n++
		}
	}
	if n > 0 {
		global.lock.Lock()
		for g := q.pop(); g != nil; g = q.pop() {
			putGlobal(g)
		}
		global.lock.Unlock()
	}
	if p == nil || atomic.LoadUint32(&p.putOff) == 0 {
		wakeThread()
	}
}

// stopSearching: the thread found work. If it was the last one searching, another takes
// over, in case more work has come meanwhile.
func stopSearching(m *M) {
	m.searching = false
	n := atomic.AddUint32(&counts.nSearching, ^uint32(0))
	if n == 0 && atomic.LoadUint32(&counts.nIdleP) > 0 {
		wakeThread()
	}
}
