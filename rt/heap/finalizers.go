package heap

import "sync/atomic"

// Finalizers and cleanups that are due: the goroutines that run them take them here.

// next is take that looks at what is left of the last cycle before it says that there is nothing.
func (q *callQueue) next() (f Finalizer, ok bool) {
	for {
		if f, ok = q.take(); ok || !settleSome() {
			return f, ok
		}
	}
}

// NextFinalizer removes the oldest queued finalizer; false if there is none, and nothing that could
// become one is left to be looked at after the last cycle. Any stack, no locks. The caller's frame
// keeps Obj and Fn alive.
func NextFinalizer() (f Finalizer, ok bool) { return dueFinalizers.next() }

// NextCleanup is NextFinalizer for cleanups.
func NextCleanup() (f Finalizer, ok bool) { return dueCleanups.next() }

// FinalizersWaiting reports whether finalizers are queued or may become so. It may be stale at
// once, unless checked after announcing to sleep: a thread that queues does so before the span is
// off the list of pending ones.
func FinalizersWaiting() bool {
	return specialsPending() || atomic.LoadInt32(&dueFinalizers.waiting) != 0
}

// CleanupsWaiting is FinalizersWaiting for cleanups.
func CleanupsWaiting() bool {
	return specialsPending() || atomic.LoadInt32(&dueCleanups.waiting) != 0
}

// SettleFinalizers queues all calls that are due since the last cycle. Any stack, no locks.
func SettleFinalizers() {
	for settleSome() {
	}
}

// FinalizerCounts reports the calls since the start.
func FinalizerCounts() (finalizers, cleanups CallCounts) {
	return dueFinalizers.counts, dueCleanups.counts
}
