package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/deque"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// The queues of a P, and a goroutine's way into them.

// fetchAhead asks for what switching to the next goroutines in p's queue will touch: of one the
// descriptor, and of one before it, whose descriptor was asked for two turns ago, the top of its
// stack. Only where there are more goroutines than a queue holds: those of a short queue are in the
// cache, and a thief that is made faster with them takes more (a hundred short ones took a third
// longer on two Ps). Owner of p.
func fetchAhead(p *P) {
	if g := (*G)(p.queue.ring.Ahead(4)); g != nil {
		sys.Prefetch(unsafe.Pointer(g))
		sys.Prefetch(unsafe.Pointer(&g.base))
	}
	if g := (*G)(p.queue.ring.Ahead(2)); g != nil {
		sp := g.SP
		sys.Prefetch(unsafe.Pointer(sp))
		sys.Prefetch(unsafe.Pointer(sp + 64))
	}
}

// takeNext empties p's front. Owner of p.
func takeNext(p *P) *G {
	if atomic.LoadPointer(&p.queue.front) == nil {
		return nil
	}
	return (*G)(atomic.SwapPointer(&p.queue.front, nil))
}

// takeFront takes g, which was seen at p's front, from there; false: somebody was faster. Any
// thread.
func takeFront(p *P, g *G) bool {
	return atomic.CompareAndSwapPointer(&p.queue.front, unsafe.Pointer(g), nil)
}

// guessNot: the goroutine at p's front may have to wait there, or had to (readyOn). Any thread.
func guessNot(p *P) { p.queue.handoff = 0 }

// guessLess: one wake-up is tried again. Owner of p.
func guessLess(p *P) { p.queue.handoff = handoffSure - 1 }

// demoteNext moves the goroutine at p's front behind those in the queue: the slice that it would
// share is used up.
func demoteNext(p *P) {
	if n := takeNext(p); n != nil {
		enqueue(p, n, false)
	}
}

// takeBack undoes the park of a goroutine that nobody else can have made ready.
func takeBack(g *G) {
	if g.Status != Waiting {
		badStatus("park undone", g)
	}
	sys.StoreRel(&g.Status, Runnable)
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
	if global.usage {
		usageReady(g)
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

const (
	handoffSure = 8
	handoffMax  = 10000
)

// enqueue puts g at p's front, or at the queue's tail. A
// full queue sends half of itself to the global one.
func enqueue(p *P, g *G, next bool) {
	if next {
		// Thieves only empty the front: if it is empty nobody else writes it.
		old := (*G)(atomic.LoadPointer(&p.queue.front))
		if old == nil || !sys.Parallel {
			sys.StoreRelPtr(&p.queue.front, unsafe.Pointer(g))
		} else {
			old = (*G)(atomic.SwapPointer(&p.queue.front, unsafe.Pointer(g)))
		}
		if old == nil {
			return
		}
		g = old
	}
	for !p.queue.ring.Push(unsafe.Pointer(g)) {
		if overflowQueue(p, g) {
			return
		}
	}
}

// putBack queues g on p, where it ran and goes on: its slice is not used up, but the collector
// wants something, or somebody stops the world. A goroutine that waits at the front goes first.
// That g is run there says nothing about handing over (readyOn). Owner of p.
func putBack(p *P, g *G) {
	next := atomic.LoadPointer(&p.queue.front) == nil && !sys.Simulated
	if next && p.queue.handoff-1 < handoffSure {
		p.queue.handoff--
	}
	enqueue(p, g, next)
}

// overflowQueue puts g, for which p's full queue has no room, on the global queue. If p's goroutine
// yields (yieldToCrowd) that is all; otherwise half of the queue goes along. False if thieves made
// room meanwhile. The calling thread is pinned.
func overflowQueue(p *P, g *G) bool {
	var batch [deque.Size / 2]unsafe.Pointer
	n := uint32(0)
	if !yieldToCrowd(p) {
		if n = p.queue.ring.PopSome(batch[:]); n == 0 {
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
	if p.crowd.skip > 0 {
		p.crowd.skip--
		return false
	}
	started, turns := p.born.idNext-p.crowd.id, p.queue.turns-p.crowd.turn
	if started < turns/2 && p.crowd.users-p.born.nUser < int64(turns/2) {
		p.crowd.skip = 1 << p.crowd.vain
		p.crowd.vain = min(p.crowd.vain+1, crowdVainMax)
	} else {
		p.crowd.vain = 0
	}
	p.crowd.id, p.crowd.turn, p.crowd.users = p.born.idNext, p.queue.turns, p.born.nUser
	t.Want = 1
	return true
}

const (
	crowdVainMax = 8
	// the most that may be in the global queue: there the goroutine stands behind them
	crowdQueue = 256
)

func hasWork(p *P) bool {
	return p.queue.ring.Len() != 0 || atomic.LoadPointer(&p.queue.front) != nil
}

// TakeQueued takes the next goroutine that can run, p's before those of the global queue; nil if
// there is none. Owner of p, the only one.
func TakeQueued(p *P) *G {
	if g := takeNext(p); g != nil {
		return g
	}
	if g := (*G)(p.queue.ring.Pop()); g != nil {
		return g
	}
	if global.nRunq != 0 {
		return popGlobal()
	}
	return nil
}
