// Package deque is the run queue of a P: a bounded ring that one owner fills and drains in FIFO
// order and that any number of thieves may halve (Hendler and Shavit, "Non-Blocking Steal-Half Work
// Queues", PODC 2002).
//
// The ring has two 32-bit counters that only grow. tail is written by the owner
// alone; head moves by the taker's compare-and-swap, owner or thief. Places in
// [head, tail) are full. The algorithm is the one published with the Go
// scheduler's work-stealing design (Vyukov, 2012), stated here with its proof obligations:
//
//   - The owner writes a place only when tail-head < Size. head can only grow
//     meanwhile, so the place is free, and it is published by the release store of tail.
//   - A taker copies the places first and then moves head from the value it read. If
//     the swap succeeds, head did not change in between, so the owner cannot have
//     reused the places that were copied: it needs head to pass them first. Counters wrap
//     after 2^32 operations; a taker would have to sleep exactly that long between
//     load and swap to be deceived.
//   - Who is not the owner reads tail between two loads of head that agree: the three
//     are of one moment, so there are tail-head elements then (Look).
//
// Places are read and written atomically only because a losing taker may read a place
// that the owner is overwriting; it then drops what it read. The stores need release
// order only, and without other Ps there is nobody to swap against: store_loam.go.
package deque

import (
	"sync/atomic"
	"unsafe"
)

// Size is the capacity, a power of two.
const Size = 256

// Queue is a run queue. The zero value is empty.
type Queue struct {
	head   uint32 // taken by owner and thieves
	_      [60]byte
	tail   uint32 // written by the owner
	_      [4]byte
	places [Size]unsafe.Pointer
}

// Push appends p and reports whether there was room. Owner only.
func (q *Queue) Push(p unsafe.Pointer) bool {
	h := atomic.LoadUint32(&q.head)
	t := q.tail
	if t-h >= Size {
		return false
	}
	storePtr(&q.places[t%Size], p)
	store32(&q.tail, t+1)
	return true
}

// Pop removes the oldest element, nil if there is none. Owner only.
func (q *Queue) Pop() unsafe.Pointer {
	for {
		h := atomic.LoadUint32(&q.head)
		if h == q.tail {
			return nil
		}
		p := atomic.LoadPointer(&q.places[h%Size])
		if take32(&q.head, h) {
			return p
		}
	}
}

// Front returns the oldest element without taking it, nil if there is none; Take(at) takes it if
// it is still there. Owner only.
func (q *Queue) Front() (p unsafe.Pointer, at uint32) {
	h := atomic.LoadUint32(&q.head)
	if h == q.tail {
		return nil, h
	}
	return atomic.LoadPointer(&q.places[h%Size]), h
}

// Ahead returns what is i places behind the oldest element, nil if that is nothing: a hint, as
// thieves may have it already. Owner only.
func (q *Queue) Ahead(i uint32) unsafe.Pointer {
	h := atomic.LoadUint32(&q.head) + i
	if int32(q.tail-h) <= 0 {
		return nil
	}
	return atomic.LoadPointer(&q.places[h%Size])
}

// Take removes the element that Front found and reports whether no thief was faster. Owner only.
func (q *Queue) Take(at uint32) bool { return take32(&q.head, at) }

// Prepare writes p to the place that the next Push would use, without publishing it. Storing
// the returned value to the returned word publishes it. Owner only, not on a full queue.
func (q *Queue) Prepare(p unsafe.Pointer) (tail *uint32, v uint32) {
	t := q.tail
	storePtr(&q.places[t%Size], p)
	return &q.tail, t + 1
}

// Empty reports whether the queue is empty. Owner only.
func (q *Queue) Empty() bool { return atomic.LoadUint32(&q.head) == q.tail }

// Len returns how many elements were there at some moment during the call.
func (q *Queue) Len() uint32 {
	_, n := q.Look()
	return n
}

// Look is Len that also returns the position of the oldest element, for Taken.
func (q *Queue) Look() (at, n uint32) {
	for {
		at = atomic.LoadUint32(&q.head)
		n = atomic.LoadUint32(&q.tail) - at
		if atomic.LoadUint32(&q.head) == at {
			return at, n
		}
	}
}

// Taken says how many elements have been taken since Look returned at.
func (q *Queue) Taken(at uint32) uint32 { return atomic.LoadUint32(&q.head) - at }

// PopSome moves the oldest elements into batch, as many as it holds, the oldest first, and returns
// how many there were. Owner only.
func (q *Queue) PopSome(batch []unsafe.Pointer) uint32 { return q.lift(batch, 1) }

// Steal moves half of victim's elements, rounded up, to the end of q, but for the oldest, which it
// returns; nil: there was nothing. The caller owns q, which has room for Size/2.
func (q *Queue) Steal(victim *Queue) unsafe.Pointer {
	var batch [Size / 2]unsafe.Pointer
	n := victim.lift(batch[:], 2)
	if n == 0 {
		return nil
	}
	for _, p := range batch[1:n] {
		q.Push(p)
	}
	return batch[0]
}

// lift takes the oldest elements, one for each part that there are and those of a last part that is
// not whole, but no more than batch holds, and puts them there in order. Anybody.
func (q *Queue) lift(batch []unsafe.Pointer, part uint32) uint32 {
	for {
		at, n := q.Look()
		n = min((n+part-1)/part, uint32(len(batch)))
		for i := range n {
			batch[i] = atomic.LoadPointer(&q.places[(at+i)%Size])
		}
		if n == 0 || atomic.CompareAndSwapUint32(&q.head, at, at+n) {
			return n
		}
	}
}
