package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
)

// A program that allocates next to nothing collects all the same, two minutes after the last collection: its finalizers and cleanups get their
// turn, and memory that it does not use any more goes back to the system. The monitor sees when it is time, and a
// goroutine does it, which is started after the first collection, as before that there is nothing to wait for.

var forcer struct {
	started bool // touched at the end of cycles only
	self    *G
	parked  unsafe.Pointer // self while it is parked, atomic
}

// cycleDone is called after each collection. World running, system stack, with a P.
func cycleDone() {
	trimSlots()
	if !forcer.started {
		forcer.started = true
		NewSystem(forceCollections)
	}
}

// forceCollections is the goroutine.
func forceCollections() {
	forcer.self = CurrentG()
	for {
		Park(parkForcer, nil, WaitForceGC)
		if heap.Overdue() {
			heap.Collect(false)
		}
	}
}

func parkForcer(unsafe.Pointer) bool {
	atomic.StorePointer(&forcer.parked, unsafe.Pointer(forcer.self))
	return true
}

// collectionOverdue says whether the goroutine waits and has something to do. Any thread.
func collectionOverdue() bool {
	return atomic.LoadPointer(&forcer.parked) != nil && heap.Overdue()
}

// forceCollection wakes the goroutine if it is time. The monitor.
func forceCollection() {
	if collectionOverdue() {
		g := (*G)(atomic.SwapPointer(&forcer.parked, nil))
		g.QueueNext = nil
		injectList(g)
	}
}
