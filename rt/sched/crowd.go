package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/deque"
	"loam/rt/policy"
	"loam/rt/sys"
)

// Where more goroutines are runnable than the Ps' queues hold, the others are in the global queue.
// Those that wait for something leave the Ps' queues, so that the others' turns come when a queue
// is empty. Those that only yield do not: a P would give its own 256 all turns but one of
// globalEvery for ever. So it exchanges those that have had turns and yielded for as many of the
// global queue: all have their turns in a circle. gc has a yielding goroutine go to the global
// queue's end, for a lock each time; here one stays for a few turns if they are short, as to come
// to another that has not run for long costs some cache misses.

// mayRotate says whether it is time for an exchange. Owner of p.
func mayRotate(p *P) bool {
	since := p.turns - p.rotateTurn
	return since >= policy.RotateLeast(deque.Size) && policy.Rotates(since, deque.Size, sys.SinceTick(p.rotateTSC))
}

// globalQueue holds goroutines in blocks of pointers: with many, to take one from a list through
// their own fields is a cache miss each. global.lock.
type globalQueue struct {
	head, tail *queueBlock // no block is empty but one that is head and tail
	spare      *queueBlock
}

type queueBlock struct {
	next     *queueBlock
	from, to uint32
	g        [126]*G
}

func (q *globalQueue) push(g *G) {
	b := q.tail
	if b == nil || b.to == uint32(len(b.g)) {
		b = q.newBlock()
		if q.tail == nil {
			q.head = b
		} else {
			q.tail.next = b
		}
		q.tail = b
	}
	b.g[b.to] = g
	b.to++
}

func (q *globalQueue) pop() *G {
	b := q.head
	if b == nil || b.from == b.to {
		return nil
	}
	g := b.g[b.from]
	if b.from++; b.from == b.to {
		b.from, b.to = 0, 0
		if b.next != nil {
			q.head = b.next
			b.next, q.spare = q.spare, b
		}
	}
	return g
}

// newBlock takes a spare block, or maps some. They are kept: eight bytes for each of the most
// goroutines that ever were in the queue.
func (q *globalQueue) newBlock() *queueBlock {
	if q.spare == nil {
		const n = 64
		blocks := (*[n]queueBlock)(sys.MapAnon(n * unsafe.Sizeof(queueBlock{})))
		for i := range blocks {
			blocks[i].next, q.spare = q.spare, &blocks[i]
		}
	}
	b := q.spare
	q.spare, b.next = b.next, nil
	return b
}

// putGlobal: global.lock held.
func putGlobal(g *G) {
	global.runq.push(g)
	atomic.StoreInt32(&global.nRunq, global.nRunq+1)
}

// popGlobal takes the oldest goroutine of the global queue, nil if there is none. global.lock held.
func popGlobal() *G {
	g := global.runq.pop()
	if g != nil {
		atomic.StoreInt32(&global.nRunq, global.nRunq-1)
	}
	return g
}

// takeShare is popGlobal for a P that has nothing in its own queue: it also fills up to half of
// that, but leaves the other Ps as many each. Owner of p, global.lock held.
func takeShare(p *P) *G {
	first := popGlobal()
	share := policy.ShareOf(global.nRunq, nProcs, deque.Size, int32(p.runq.Len()))
	if share > 0 {
		for range share {
			p.runq.Push(unsafe.Pointer(global.runq.pop()))
		}
		// Only now, so that a thread that looks everywhere before it sleeps sees them in one place
		// or the other.
		atomic.StoreInt32(&global.nRunq, global.nRunq-share)
	}
	return first
}

// isCrowd says whether there are more goroutines than the Ps' queues hold.
//
//loam:inline
func isCrowd() bool { return atomic.LoadInt32(&global.nRunq) != 0 }

// yieldInCrowd is the rest of Gosched where there is one: g may be switched from directly.
// Goroutine stack, Locks 1.
//
//go:noinline
func yieldInCrowd(t *sys.Thread, p *P, g *G) {
	if p.turns%globalEvery != 0 {
		fetchAhead(p)
		if n := directQueued(p); n != nil {
			g.WaitReason = HasYielded
			yieldTo(t, p, g, n)
			return
		}
	}
	t.Locks--
	sys.Mcall(goschedG)
}

// rotate exchanges goroutines of p's queue that have yielded for as many of the global queue, and
// takes one from there to be run now; nil if there is none. Owner of p, system stack.
func rotate(p *P) *G {
	var all, goes [deque.Size]unsafe.Pointer
	n := p.runq.PopSome(all[:])
	// Only what came since the last exchange can have yielded since. Those before it are not even
	// looked at: what they need is not in the cache.
	since := n - uint32(min(uint64(n), p.turns-p.rotateTurn))
	stay := int32(0) // of those that have yielded, the first
	for _, g := range all[since:n] {
		if (*G)(g).WaitReason == HasYielded {
			stay++
		}
	}
	global.lock.Lock()
	first := popGlobal()
	stay -= min(stay, global.nRunq)
	for _, g := range all[:since] {
		p.runq.Push(g)
	}
	k := 0
	for _, g := range all[since:n] {
		switch {
		case (*G)(g).WaitReason != HasYielded:
		case stay > 0:
			stay--
		default:
			goes[k] = g
			k++
			continue
		}
		p.runq.Push(g)
	}
	for range k {
		p.runq.Push(unsafe.Pointer(global.runq.pop()))
	}
	for _, g := range goes[:k] {
		(*G)(g).WaitReason = WaitNone
		global.runq.push((*G)(g))
	}
	global.lock.Unlock()
	p.rotateTurn, p.rotateTSC = p.turns, sys.Rdtsc()
	wakeThread() // a thread that looked meanwhile may have found nothing, and sleep
	return first
}
