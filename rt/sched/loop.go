package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// timerNs is the least distance of two looks at the clock on the fast path, in nanoseconds.
const timerNs = 3000

// globalEvery is how many turns a P gives to its own queue before it looks at the global one.
const globalEvery = 64

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
		if why := p.preempt; why != 0 {
			p.preempt = 0
			if why == sliceOver {
				demoteNext(p)
			}
		}
		if atomic.LoadUint32(&p.outing.putOff) != 0 {
			outingLasts(p)
		}
		if atomic.LoadUint32(&global.stopping) != 0 {
			stopForWorld(m)
			continue
		}
		if heap.Marking() {
			if atomic.LoadUint32(&p.marking.asked) != 0 {
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
		if jitter.on && jitterDefers(g) {
			g, sameSlice = findWork(m)
		}
		if m.searching {
			stopSearching(m)
		}
		if atomic.LoadUint32(&global.stopping) != 0 {
			enqueue(m.P, g, true) // the thread that stops the world saw nothing to interrupt here
			continue
		}
		if heap.Marking() && holdsBack(g) {
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
	if p.timers.next != 0 && sys.SinceTick(p.timers.lookTSC) > timerNs {
		checkTimers(p)
	}
	// P's own queue need never be empty: the global one has its turn in between.
	if p.queue.turns%globalEvery == 0 && atomic.LoadInt32(&global.nRunq) > 0 {
		if mayRotate(p) {
			g = rotate(p)
			wakeThread()
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
		p.queue.handoff++
		return n, true
	}
	if q, _ := p.queue.ring.Front(); q != nil && (*G)(q).computed() {
		if g := eventBefore(p); g != nil {
			return g, false
		}
	}
	if q := (*G)(p.queue.ring.Pop()); q != nil {
		if isCrowd() {
			fetchAhead(p)
		}
		return q, false
	}
	return findWork(m)
}

// checkTimers runs what is due in p's heap. Owner of p, system stack.
func checkTimers(p *P) {
	p.timers.lookTSC = sys.Rdtsc()
	now := sys.Clock()
	if now < p.timers.next {
		return
	}
	setTimerNext(p, timerRun(p.ID, now))
}

// takeTurn makes g the goroutine of the current thread and returns its Context; one that a
// signal preempted it continues itself. A goroutine that was woken
// by the one before it (sameSlice) shares its time slice, so that two that wake each other
// cannot keep the thread for ever.
func takeTurn(m *M, g *G, sameSlice bool) *sys.Context {
	p := m.P
	if checking {
		checkBegin(m, g)
	}
	if tracer.On {
		traceRun(g)
	}
	if global.usage {
		usageRuns(m, g)
	}
	m.CurG = g
	g.M = m
	g.dirty = true
	if race.Enabled {
		g.Race.Actor().Begins()
	}
	g.Preempt = false
	sys.StoreRel(&g.Status, Running)
	if heap.Marking() {
		ranWhileMarking(g)
	}
	if sys.Simulated {
		g.special |= isWatched
		simulation.Turn(m.Thread, g)
	} else {
		m.Thread.Want = 0 // the one before was asked, and has left by itself
		if jitter.on {
			jitterRun(m, g)
		}
	}
	p.queue.switches++
	if !sameSlice {
		p.queue.turns++
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
		if q := (*G)(p.queue.ring.Pop()); q != nil {
			return q, false
		}
		if atomic.LoadInt32(&global.nRunq) != 0 {
			if g = eventBefore(p); g != nil {
				return g, false
			}
			global.lock.Lock()
			g = takeShare(p)
			global.lock.Unlock()
			if g != nil {
				return g, false
			}
		}
		atomic.StoreInt64(&p.search.lookedAt, now)
		// What the network has made ready; without waiting, and not if
		// another thread waits there anyway.
		if netWaiters() > 0 && atomic.LoadInt64(&global.polledAt) != 0 {
			if list := netPoll(0); list != nil {
				return takeFirst(list), false
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

// Turns of events, and of those who compute.
const (
	aheadNs = 200 * 1000 // ns for which events keep one who computes from its turn
	restNs  = 50 * 1000  // ns of which it is then sure, as far as events are concerned
)

// eventBefore returns a goroutine that the network has made ready, to be run before one that was
// asked to yield, and so will run for as long as it may: who has just begun to wait at the network
// often has its answer by then. Events come first for a while, and then not for a part of it: those
// who wait for them, and those who compute, both get on. Owner of p, system stack.
func eventBefore(p *P) *G {
	last := atomic.LoadInt64(&global.polledAt)
	if last == 0 || netWaiters() == 0 || sys.Simulated {
		return nil
	}
	now := sys.Nanotime()
	switch {
	case p.events.from == 0:
		p.events.from = now
	case now-p.events.from > aheadNs:
		p.events.from, p.events.restUntil = 0, now+restNs
		return nil
	}
	if now < p.events.restUntil || !atomic.CompareAndSwapInt64(&global.polledAt, last, now) {
		p.events.from = 0
		return nil
	}
	list := netPoll(0)
	if list == nil {
		p.events.from = 0
		return nil
	}
	return takeFirst(list)
}

// takeFirst makes a list, not empty, of parked goroutines runnable and returns the first, which the
// caller runs.
func takeFirst(list *G) *G {
	rest := list.QueueNext
	list.QueueNext = nil
	makeRunnable(list)
	injectList(rest)
	return list
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
		if p == nil || !p.queue.ring.Push(unsafe.Pointer(g)) {
			q.push(g)
			n++
		}
	}
	if n > 0 {
		global.lock.Lock()
		for g := q.pop(); g != nil; g = q.pop() {
			if p == nil {
				putEvent(g)
			} else {
				putGlobal(g) // there is a crowd
			}
		}
		global.lock.Unlock()
	}
	if p == nil || atomic.LoadUint32(&p.outing.putOff) == 0 {
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

// traceFeedReader makes the goroutine runnable that reads the trace, if there is something for it.
// Owner of p.
//
//go:noinline
func traceFeedReader(p *P) {
	if !tracer.ReaderDue() {
		return
	}
	if g := (*G)(tracer.TakeReader()); g != nil {
		makeRunnable(g)
		enqueue(p, g, false)
	}
}
