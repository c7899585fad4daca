package heap

import "sync/atomic"

// Giving memory back. Free runs keep their memory for keepCycles collections, because a heap that
// breathes with its goal would otherwise fault the same pages in again and again; then it is
// returned. Near the memory limit, and in FreeOSMemory, everything free is returned at once. And a
// heap that has to grow for a large object although much of it is free, in pieces, returns as much
// as it grows.

const keepCycles = 2

// scavengeStep is how many bytes are given back at a time, with pages.lock held: less than a
// millisecond's work. The thread that ends a cycle does as much, and leaves the rest to one without
// a P: gigabytes take as long as a second, in which the world could not be stopped.
const scavengeStep = 4 << 20

// scavengeAfterCycle gives back what has been free for long enough. System stack, with a P; the
// world runs.
func scavengeAfterCycle() {
	from := nanotime()
	if !scavengeOld(scavengeStep) {
		hooks.workers.WakeScavenger()
	}
	atomic.AddUint64(&stats.scavengeNs, uint64(nanotime()-from))
}

// Scavenge does what the end of a cycle has left. System stack. It may take long: a thread that has
// a P calls it only where no other thread waits for that.
func Scavenge() {
	from := nanotime()
	scavengeOld(^uintptr(0))
	atomic.AddUint64(&stats.scavengeNs, uint64(nanotime()-from))
}

// scavengeOld returns the memory of runs that have been free for keepCycles cycles, or
// of all if the process is close to its limit, up to about most bytes; false: that was not all.
func scavengeOld(most uintptr) (all bool) {
	limit := memoryLimit()
	if limit != noLimit && residentBytes() > limit-limit/20 {
		hooks.stacks.Scavenge()
		return scavenge(0, most)
	}
	return scavenge(keepCycles, most)
}

// scavenge returns the memory of free runs that are age cycles old or older, up to about most
// bytes; false: that was not all. The lock is dropped after each step, so that allocation is not
// held up for long.
func scavenge(age uint32, most uintptr) (all bool) {
	for b := uintptr(0); b < pageBuckets; b++ {
		for pages.heads[b] != nil {
			acquireM()
			pages.lock.Lock()
			n := discardSome(b, age, scavengeStep)
			pages.lock.Unlock()
			releaseM()
			if n == 0 {
				break
			}
			if n >= most {
				return false
			}
			most -= n
		}
	}
	return true
}

// discardSome gives back about most bytes of the runs in bucket b, and returns how many: 0 if there
// are none left. Caller holds pages.lock.
func discardSome(b uintptr, age uint32, most uintptr) (bytes uintptr) {
	for s := pages.heads[b]; s != nil && bytes < most; s = s.next {
		if cycle.number-s.freedAt >= age {
			bytes += discardRun(s, most-bytes)
		}
	}
	return bytes
}

// discardRun gives a free run's memory back, about most bytes of it, and returns how many. Caller
// holds pages.lock. What the system does not take stays dirty, so that it is cleared before it is
// used, and waits for its age again.
func discardRun(s *span, most uintptr) (bytes uintptr) {
	const step = scavengeStep >> pageShift
	for i := uintptr(0); i < s.pageCount && bytes < most; i += step {
		base, n := s.base+i<<pageShift, min(s.pageCount-i, step)
		d := countDirty(base, n)
		if d == 0 {
			continue
		}
		if !osDiscard(base, n<<pageShift) {
			s.freedAt = cycle.number
			break
		}
		clearDirty(base, n)
		pages.dirty -= d
		pages.scavSum += uint64(d) << pageShift
		bytes += d << pageShift
	}
	return bytes
}

// freeShare: free memory up to this part of what is in use is kept when the heap grows, so that it
// can be used without asking the system.
const freeShare = 10

// payGrowth gives back free memory for what the heap has grown by. Goroutine stack, no locks.
func payGrowth() {
	for more := pages.grown != 0; more; { // between the steps the goroutine can be stopped
		onSystem(func() { more = payStep() })
	}
}

// payStep gives back scavengeStep bytes at most, and says whether that was not all. The longest
// runs go first, for which the system is asked least often.
func payStep() (more bool) {
	acquireM()
	pages.lock.Lock()
	if excess := pages.dirty - min(pages.dirty, pages.inUse/freeShare); excess < pages.grown {
		pages.grown = excess
	}
	want := min(pages.grown<<pageShift, scavengeStep)
	given := uintptr(0)
	for b := uintptr(pageBuckets - 1); b > 0 && given < want; b-- {
		given += discardSome(b, 0, want-given)
	}
	if pages.grown -= min(pages.grown, given>>pageShift); given == 0 {
		pages.grown = 0
	}
	more = pages.grown != 0
	pages.lock.Unlock()
	releaseM()
	return more
}
