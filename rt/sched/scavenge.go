package sched

import (
	"sync/atomic"

	"loam/rt/heap"
	"loam/rt/sys"
)

// A thread without a P that gives memory back to the system after a cycle, where that is much. It
// goes on while the world is stopped.
var scavenger struct {
	thread sideThread // woken by the thread that has set busy
	busy   uint32     // atomic
}

// wakeScavenger is heap's hook. If the thread is at it, what it has looked at already waits for the
// next cycle.
func wakeScavenger() {
	if atomic.CompareAndSwapUint32(&scavenger.busy, 0, 1) {
		scavenger.thread.wake(scavengeMain)
	}
}

// scavengeMain is the thread.
func scavengeMain() {
	sys.ThreadReady(systemMask)
	for {
		heap.Scavenge()
		atomic.StoreUint32(&scavenger.busy, 0)
		scavenger.thread.sleep()
	}
}
