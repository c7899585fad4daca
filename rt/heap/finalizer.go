package heap

import "unsafe"

// Finalizer is a queued call. Obj is nil for a cleanup: then Fn is a closure of func().
// Otherwise Fn is the finalizer's closure, to be called with Obj as Info says.
type Finalizer struct {
	Obj, Fn unsafe.Pointer
	Info    FinalizerInfo
}

// The queue of calls that are due, in order: a ring of blocks outside the heap. The
// collector greys what is in it.
const queueBlockLen = 100

type queueBlock struct {
	next *queueBlock
	r, w int // entries [r, w) are waiting
	list [queueBlockLen]Finalizer
}

var queue struct {
	lock        mutex
	first, last *queueBlock
	spare       *queueBlock
	waiting     int
	finalizers  CallCounts
	cleanups    CallCounts
}

// CallCounts are the calls of one kind since the start: queued, and taken to be made.
type CallCounts struct{ Queued, Taken uint64 }

func (f *Finalizer) counts() *CallCounts {
	if f.Obj == nil {
		return &queue.cleanups
	}
	return &queue.finalizers
}

// enqueue appends. specials.lock is held; system stack.
func enqueue(f Finalizer) {
	queue.lock.Lock()
	b := queue.last
	if b == nil || b.w == queueBlockLen {
		n := queue.spare
		if n != nil {
			queue.spare = n.next
			n.next, n.r, n.w = nil, 0, 0
		} else {
			n = (*queueBlock)(Permanent(unsafe.Sizeof(queueBlock{}), 8, false))
		}
		if b == nil {
			queue.first = n
		} else {
			b.next = n
		}
		queue.last = n
		b = n
	}
	b.list[b.w] = f
	b.w++
	queue.waiting++
	f.counts().Queued++
	queue.lock.Unlock()
}

// NextFinalizer removes the oldest queued call; false if there is none, and nothing that could become one is left to
// be looked at after the last cycle. Any stack, no locks. The caller's frame keeps Obj and Fn alive.
func NextFinalizer() (f Finalizer, ok bool) {
	for {
		if f, ok = dequeue(); ok || !settleSome() {
			return f, ok
		}
	}
}

func dequeue() (f Finalizer, ok bool) {
	acquireM()
	queue.lock.Lock()
	if b := queue.first; b != nil && b.r < b.w {
		f, ok = b.list[b.r], true
		b.list[b.r] = Finalizer{}
		b.r++
		queue.waiting--
		f.counts().Taken++
		if b.r == queueBlockLen {
			queue.first = b.next
			if queue.first == nil {
				queue.last = nil
			}
			b.next, queue.spare = queue.spare, b
		}
	}
	queue.lock.Unlock()
	releaseM()
	return f, ok
}

// FinalizersWaiting says whether calls are queued or may become so. It may be stale at once, unless
// checked after announcing to sleep: who queues does so before the span is off the list of pending ones.
func FinalizersWaiting() bool { return specialsPending() || queue.waiting != 0 }

// SettleFinalizers queues all calls that are due since the last cycle. Any stack, no locks.
func SettleFinalizers() {
	for settleSome() {
	}
}

// FinalizerCounts reports the calls since the start.
func FinalizerCounts() (finalizers, cleanups CallCounts) { return queue.finalizers, queue.cleanups }

// greyQueue greys what waits in the queue. What is taken out meanwhile is on its taker's stack;
// nothing is added while a collection marks, as all spans are settled.
func greyQueue(w *worker) {
	queue.lock.Lock()
	for b := queue.first; b != nil; b = b.next {
		for i := b.r; i < b.w; i++ {
			w.greyAddress(uintptr(b.list[i].Obj))
			w.greyAddress(uintptr(b.list[i].Fn))
		}
	}
	queue.lock.Unlock()
}
