package heap

import (
	"sync/atomic"
	"unsafe"
)

// Finalizer is a queued call. Obj is nil for a cleanup: then Fn is a closure of func().
// Otherwise Fn is the finalizer's closure, to be called with Obj as Info says.
type Finalizer struct {
	Obj, Fn unsafe.Pointer
	Info    FinalizerInfo
}

// A callQueue holds calls of one kind that are due, in order: a ring of blocks outside the heap.
// The collector greys what is in it. Finalizers and cleanups have one each, so that those of one
// kind do not wait for a call of the other that takes long.
type callQueue struct {
	lock        mutex
	first, last *finalizerBlock
	spare       *finalizerBlock
	waiting     int32 // atomic
	counts      CallCounts
}

const finalizerBlockLen = 100

type finalizerBlock struct {
	next *finalizerBlock
	r, w int // entries [r, w) are waiting
	list [finalizerBlockLen]Finalizer
}

var dueFinalizers, dueCleanups callQueue

// CallCounts are the calls of one kind since the start: queued, and taken to be made.
type CallCounts struct{ Queued, Taken uint64 }

// add appends. The lock of the span with the call is held; system stack.
func (q *callQueue) add(f Finalizer) {
	q.lock.Lock()
	b := q.last
	if b == nil || b.w == finalizerBlockLen {
		n := q.spare
		if n != nil {
			q.spare = n.next
			n.next, n.r, n.w = nil, 0, 0
		} else {
			n = (*finalizerBlock)(Permanent(unsafe.Sizeof(finalizerBlock{}), 8, false))
		}
		if b == nil {
			q.first = n
		} else {
			b.next = n
		}
		q.last = n
		b = n
	}
	b.list[b.w] = f
	b.w++
	q.counts.Queued++
	atomic.AddInt32(&q.waiting, 1)
	q.lock.Unlock()
}

// take removes the oldest call; false if there is none. Any stack, no locks.
func (q *callQueue) take() (f Finalizer, ok bool) {
	acquireM()
	q.lock.Lock()
	if b := q.first; b != nil && b.r < b.w {
		f, ok = b.list[b.r], true
		b.list[b.r] = Finalizer{}
		b.r++
		q.counts.Taken++
		atomic.AddInt32(&q.waiting, -1)
		if b.r == finalizerBlockLen {
			q.first = b.next
			if q.first == nil {
				q.last = nil
			}
			b.next, q.spare = q.spare, b
		}
	}
	q.lock.Unlock()
	releaseM()
	return f, ok
}

// grey greys what waits in the queue. What is taken out meanwhile is on its taker's stack;
// nothing is added while a collection marks, as all spans are settled.
func (q *callQueue) grey(w *worker) {
	q.lock.Lock()
	for b := q.first; b != nil; b = b.next {
		for i := b.r; i < b.w; i++ {
			w.greyAddress(uintptr(b.list[i].Obj))
			w.greyAddress(uintptr(b.list[i].Fn))
		}
	}
	q.lock.Unlock()
}

// visit calls f for each call in the queue. World stopped.
func (q *callQueue) visit(f func(c *Finalizer)) {
	for b := q.first; b != nil; b = b.next {
		for i := b.r; i < b.w; i++ {
			f(&b.list[i])
		}
	}
}
