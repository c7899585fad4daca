package sched

import (
	"sync/atomic"

	"loam/rt/heap"
	"loam/rt/sys"
)

// # The lookout
//
// A thread without work looks at the network and at the timers, and so does one that waits there.
// Where goroutines that allocate have all Ps nobody does before the monitor, after 10 ms, and what
// is ready waits for the end of a slice. With gc such goroutines wait for the collector again and
// again, and others have their turns meanwhile; here they seldom wait. So they look around
// themselves when they take more memory, and yield to what they find:
//
//   - what the network has made ready, which comes next. Those look that do not leave soon by
//     themselves: in a server whose Ps always have work the oldest request would else wait longest;
//   - timers that are due, which the P runs when it schedules;
//   - goroutines that wait and have not had a whole slice, once those that allocate have had a part
//     of theirs. With one P they wait for its end, as with gc, unless a collection has begun or
//     ended: programs that set GOMAXPROCS to 1 count on the order that this gives.
//
// And a P that is about to take up a goroutine that computes looks at the network before
// (eventBefore).
//
// A look that has found something at the network is soon followed by the next one: a goroutine that
// has got a request waits for another soon.
const (
	lookGap   = 10 * 1000  // ns between two looks at the clock
	netGapMax = 100 * 1000 // ns between two looks at the network, at most: if they are in vain
	// ns that one waits who was seen at the P's front, or, as an event has come, in the global queue
	eventNs    = 100 * 1000
	queueNs    = 2000 * 1000 // ns of its slice that it has before others in queues
	computesNs = 100 * 1000  // ns of its turn after which a goroutine is one that computes
)

// refilled is heap's hook. System stack, pinned once by the allocation. What comes in goes through
// locks of descriptors, and a goroutine that holds one of these may allocate. Nothing may be
// allocated here: the caller has just taken a run of free slots, and uses it afterwards.
func refilled() { lookAround(false) }

// lookAround looks at what is ready, and asks the goroutine to yield to it. waits: it has nothing
// else to do. System stack, pinned once.
func lookAround(waits bool) {
	p, t := curP(), sys.Self()
	if p == nil || t.Locks != 1 {
		return
	}
	l, tick := &p.lookout, sys.Rdtsc()
	if l.turn != p.queue.turns {
		l.turn, l.began, l.seen, l.phase = p.queue.turns, tick, 0, heap.Phase()
	}
	if sys.TicksNs(tick-l.looked) < lookGap {
		return
	}
	l.looked = tick
	if waits || computes(p, tick) {
		lookAtNetwork(p)
	}
	next := p.timers.next
	if next != 0 && next <= sys.Clock() || waited(p, tick) {
		askSelf(p, t)
	}
}

func lookWaiting() { lookAround(true) }

// yieldToMarkers is heap's hook: the current goroutine waits for those who mark, again and again.
func yieldToMarkers() {
	sys.AcquireM()
	if !sys.Simulated {
		sys.OnSystemStack(lookWaiting)
	}
	sys.ReleaseM()
	Gosched()
}

// waited reports whether others have waited so long by now that the goroutine on p should let them
// run.
func waited(p *P, now uint64) bool {
	l := &p.lookout
	shared := nProcs > 1 || l.phase != heap.Phase()
	first := atomic.LoadInt32(&global.runq.nEvents) != 0 || shared && atomic.LoadPointer(&p.queue.front) != nil
	switch {
	case !first:
		l.seen = 0
	case l.seen == 0:
		l.seen = now
	case sys.TicksNs(now-l.seen) >= eventNs:
		return true
	}
	return shared && sys.TicksNs(now-l.began) >= queueNs && otherWaits(p)
}

// otherWaits reports whether a goroutine waits for p, or for any P, that has not used up its last
// slice. To those that have it is no use to yield before this one has, too: it would get the less
// of the P the shorter its slices are. Owner of p.
func otherWaits(p *P) bool {
	if g, _ := p.queue.ring.Front(); g != nil && (*G)(g).WaitReason != UsedSlice {
		return true
	}
	return atomic.LoadInt32(&global.nRunq) > atomic.LoadInt32(&global.runq.nLong)
}

// computes reports whether the goroutine on p has run for long by now, or did so when it last ran.
func computes(p *P, now uint64) bool {
	return CurrentG().computed() || sys.TicksNs(now-p.lookout.began) >= computesNs
}

// askSelf asks the running goroutine to yield. The next one on p may run in what is left of its
// slice, but is counted from its own beginning here. System stack.
func askSelf(p *P, t *sys.Thread) {
	p.lookout.turn = ^uint64(0)
	if t.Want == 0 {
		t.Want = 1
	}
}

// lookAtNetwork looks at the network if nobody has for a while. System stack, with a P.
func lookAtNetwork(p *P) {
	last := atomic.LoadInt64(&global.polledAt)
	if last == 0 || netWaiters() == 0 {
		return // another thread waits there, or nobody does
	}
	now := sys.Nanotime()
	if now < max(last+p.lookout.netGap, p.events.restUntil) || !atomic.CompareAndSwapInt64(&global.polledAt, last, now) {
		return
	}
	if list := netPoll(0); list != nil {
		p.lookout.netGap = lookGap
		injectAhead(p, list)
	} else {
		p.lookout.netGap = min(2*p.lookout.netGap+lookGap, netGapMax)
	}
}

// injectAhead makes a list, not empty, of parked goroutines runnable. The first comes next, and the
// running goroutine is asked to yield. With a P.
func injectAhead(p *P, list *G) {
	g := list
	rest := g.QueueNext
	g.QueueNext = nil
	makeRunnable(g)
	enqueue(p, g, !sys.Simulated)
	injectList(rest)
	if atomic.LoadUint32(&counts.nIdleP) != 0 {
		wakeThread()
	}
	askSelf(p, sys.Self())
}
