package heap

import (
	"sync/atomic"

	"loam/rt/pacer"
)

// The memory limit (GOMEMLIMIT). It is kept in three ways. The pacer's goal leaves room for what
// else takes memory (overheadBytes): that is known when a cycle begins or ends, and the monitor
// looks at it in between, as a burst of deep stacks does not wait for a cycle (LookAtLimit). Pages
// that nobody has touched are taken last: what is dead is swept first, and free pages that were
// touched are given back for them (keepLimit). And an allocation that is faster than the marking
// waits (farAboveGoal).

// memory is what others than the thread that collects want to know of the pacer. Atomic.
var memory struct {
	limit  uint64 // noLimit: none
	floor  uint64 // the heap that the limit leaves in any case
	runway uint64 // from the trigger to the goal
}

// publishLimit takes over the pacer's limit. World stopped, or at the start.
func publishLimit() {
	p := &cycle.pacer
	atomic.StoreUint64(&memory.limit, p.Limit())
	atomic.StoreUint64(&memory.floor, p.Floor())
	atomic.StoreUint64(&memory.runway, cycle.goal-min(cycle.goal, atomic.LoadUint64(&cycle.trigger)))
}

func memoryLimit() uint64 { return atomic.LoadUint64(&memory.limit) }

// Limited says whether there is a memory limit. Any thread.
func Limited() bool { return memoryLimit() != noLimit }

const noLimit = pacer.NoLimit

// overheadBytes is what counts against the memory limit besides heap objects. Stacks count with
// what was last found.
func overheadBytes() uint64 {
	n := uint64(metaBytes() + atomic.LoadUintptr(&bufs.total))
	n += hooks.stacks.Bytes(false)
	return n
}

// wasteBytes is the memory of spans in use that holds no objects. World stopped.
func wasteBytes(objects uint64) uint64 {
	used := uint64(pages.inUse << pageShift)
	return used - min(used, objects)
}

// mappedBytes is the memory the heap makes the process use: dirty pages and metadata.
func mappedBytes() uintptr {
	return (pages.inUse+pages.dirty)<<pageShift + metaBytes() + bufs.total
}

// residentBytes is all memory that counts against the limit. Exact with pages.lock held.
func residentBytes() uint64 {
	return uint64((pages.inUse+pages.dirty)<<pageShift) + overheadBytes()
}

// LookAtLimit makes a cycle begin earlier if what is not the heap's leaves it less room than when
// the trigger was set. The monitor's.
func LookAtLimit() {
	limit := memoryLimit()
	trigger := atomic.LoadUint64(&cycle.trigger)
	if limit == noLimit || trigger == 0 || atomic.LoadUint32(&cycle.running) != 0 {
		return
	}
	room := pacer.Allowed(limit, overheadBytes()+atomic.LoadUint64(&cycle.waste))
	room = max(room, atomic.LoadUint64(&memory.floor))
	if room -= min(room, atomic.LoadUint64(&memory.runway)); room < trigger {
		// If the trigger is another one meanwhile, it was set by somebody who knows better.
		atomic.CompareAndSwapUint64(&cycle.trigger, trigger, max(room, 1))
	}
}

// sweepForLimit sweeps before n fresh pages are taken that the limit has no room for. System stack,
// no locks.
func sweepForLimit(n uintptr) {
	limit := memoryLimit()
	if limit == noLimit || pages.dirty >= n || residentBytes()+uint64(n<<pageShift) <= limit {
		return
	}
	for got := uintptr(0); got < n && atomic.LoadUint64(&sweep.pages) != 0; {
		swept, reclaimed := sweepAny()
		if swept == 0 {
			return
		}
		got += reclaimed
	}
}

// keepLimit gives back free pages for those that were just taken, if all together exceed the limit.
// pages.lock is held.
func keepLimit() {
	limit := memoryLimit()
	if limit == noLimit || pages.dirty == 0 {
		return
	}
	used := residentBytes()
	if used <= limit {
		return
	}
	// At least so much, because each call of the system costs.
	want := min(max(uintptr(used-limit), limitStep), scavengeStep)
	for b, given := uintptr(pageBuckets-1), uintptr(0); b > 0 && given < want; b-- {
		given += discardSome(b, 0, want-given)
	}
}

const limitStep = 256 << 10
