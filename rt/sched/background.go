package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/stack"
	"loam/rt/sys"
)

// background is a goroutine of the run-time system's that waits until the monitor, which has no P
// and may not block, has something to do for it.
type background struct {
	g      *G     // nil until create
	parked uint32 // atomic: it waits, and nobody has woken it
}

// create makes the goroutine, which has nothing of the one that runs. It is born waiting: if there
// is never anything to do, it never runs. Goroutine stack, pinned.
func (b *background) create(fn func(), reason WaitReason, callerPC uintptr) {
	g := newSystemG(curP(), fn, callerPC, true)
	g.WaitReason = reason
	sys.StoreRel(&g.Status, Waiting)
	b.g = g
	atomic.StoreUint32(&b.parked, 1)
}

// wait parks the goroutine, which calls it, until wake.
func (b *background) wait(reason WaitReason) { Park(markParked, unsafe.Pointer(b), reason) }

func markParked(b unsafe.Pointer) bool {
	atomic.StoreUint32(&(*background)(b).parked, 1)
	return true
}

// wake lets the goroutine run; the caller has seen that it is parked. The monitor's thread.
func (b *background) wake() {
	atomic.StoreUint32(&b.parked, 0)
	makeRunnable(b.g)
	readyGlobal(b.g)
}

// StartBackground makes the goroutines that the monitor wakes. Once, on the first goroutine.
//
//go:noinline
func StartBackground() {
	callerPC := sys.CallerPC()
	sys.AcquireM()
	collector.create(collectLate, WaitForceGC, callerPC)
	sys.ReleaseM()
	startUpdates(callerPC)
	startMemoryUpdates(callerPC)
}

// collector collects when there was no collection for two minutes: a program that allocates little,
// or nothing any more, shall find out what is dead, and give back memory, too. It also begins a
// cycle that is due where nothing allocates. Whether there is to be one is asked again here: the
// program may have switched collections off since the monitor looked.
var collector background

func collectLate() {
	for {
		if heap.Late(sys.Nanotime()) {
			heap.Collect(false)
		} else {
			heap.CollectIfDue()
		}
		collector.wait(WaitForceGC)
	}
}

// lookAtHeap is the monitor's.
func lookAtHeap(now int64) {
	due := false
	if heap.Limited() && stack.Stale(now) {
		stack.Measure()
		due = heap.LookAtLimit()
	}
	if (due || heap.Late(now)) && atomic.LoadUint32(&collector.parked) != 0 {
		collector.wake()
	}
}
