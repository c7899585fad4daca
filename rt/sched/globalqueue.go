package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/deque"
	"loam/rt/policy"
	"loam/rt/sys"
)

// The global queue.

// globalQueue has goroutines that have used up a slice, or are too many for the Ps' queues, and
// apart from them those whom an event has made ready where no P was to be had: one that comes back
// from a system call does not wait until all that compute have had their slices. Where there are
// goroutines of both kinds they take turns, so that neither keeps the other waiting for ever.
//
// The first are in blocks of pointers: with many, to take one from a list through their own fields
// is a cache miss each. global.lock.
type globalQueue struct {
	head, tail *queueBlock // no block is empty but one that is head and tail
	spare      *queueBlock
	events     runList
	nEvents    int32 // atomic read
	nLong      int32 // of the first, those that have had a whole slice; atomic read
	eventLast  bool  // the last goroutine taken was one of events
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
	if g.WaitReason == UsedSlice {
		atomic.StoreInt32(&q.nLong, q.nLong+1)
	}
}

// pushEvent is push for a goroutine that an event has made ready.
func (q *globalQueue) pushEvent(g *G) {
	q.events.push(g)
	atomic.StoreInt32(&q.nEvents, q.nEvents+1)
}

func (q *globalQueue) pop() *G {
	b := q.head
	empty := b == nil || b.from == b.to
	if q.eventLast = q.nEvents != 0 && (empty || !q.eventLast); q.eventLast {
		atomic.StoreInt32(&q.nEvents, q.nEvents-1)
		return q.events.pop()
	}
	if empty {
		return nil
	}
	g := b.g[b.from]
	if g.WaitReason == UsedSlice {
		atomic.StoreInt32(&q.nLong, q.nLong-1)
	}
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

// putEvent is putGlobal for a goroutine that an event has made ready. global.lock held.
func putEvent(g *G) {
	global.runq.pushEvent(g)
	atomic.StoreInt32(&global.nRunq, global.nRunq+1)
}

// popGlobal takes the next goroutine of the global queue, nil if there is none. global.lock held.
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
	share := policy.ShareOf(global.nRunq, nProcs, deque.Size, int32(p.queue.ring.Len()))
	if share > 0 {
		for range share {
			p.queue.ring.Push(unsafe.Pointer(global.runq.pop()))
		}
		// Only now, so that a thread that looks everywhere before it sleeps sees them in one place
		// or the other.
		atomic.StoreInt32(&global.nRunq, global.nRunq-share)
	}
	return first
}

// isCrowd reports whether there are more goroutines than the Ps' queues hold.
//
//loam:inline
func isCrowd() bool { return atomic.LoadInt32(&global.nRunq) != 0 }
