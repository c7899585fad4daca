package heap

import "sync/atomic"

// Giving memory back. Free runs keep their memory for keepCycles collections, because
// a heap that breathes with its goal would otherwise fault the same pages in
// again and again; then it is returned. Near the memory limit, and in FreeOSMemory,
// everything free is returned at once.

const keepCycles = 2

// scavengeOld returns the memory of runs that have been free for keepCycles cycles, or
// of all if the process is close to its limit. The world runs.
func scavengeOld() {
	limit := cycle.pacer.Limit()
	if used := uint64(mappedBytes()); limit != noLimit && used > limit-limit/20 {
		scavenge(0)
		return
	}
	scavenge(keepCycles)
}

const noLimit = 1<<63 - 1

// scavenge returns the memory of free runs that are age cycles old or older. The lock
// is dropped after each bucket, so that allocation is not held up for long.
func scavenge(age uint32) {
	for b := uintptr(0); b < pageBuckets; b++ {
		if pages.heads[b] == nil {
			continue
		}
		acquireM()
		pages.lock.Lock()
		for s := pages.heads[b]; s != nil; s = s.next {
			if cycle.number-s.freedAt >= age {
				discardRun(s)
			}
		}
		pages.lock.Unlock()
		releaseM()
	}
}

// discardRun gives a free run's memory back. Caller holds pages.lock. What the system does not take stays dirty, so that it is cleared
// before it is used, and waits for its age again.
func discardRun(s *span) {
	d := countDirty(s.base, s.pageCount)
	if d == 0 {
		return
	}
	if !osDiscard(s.base, s.pageCount<<pageShift) {
		s.freedAt = cycle.number
		return
	}
	clearDirty(s.base, s.pageCount)
	pages.dirty -= d
	pages.scavSum += uint64(d) << pageShift
}

// FreeOSMemory collects and returns as much memory to the system as possible.
// Goroutine stack.
func FreeOSMemory() {
	Collect(true)
	from := nanotime()
	onSystem(func() { scavenge(0) })
	atomic.AddUint64(&stats.freeNs, uint64(nanotime()-from))
}

// mappedBytes is the memory the heap makes the process use: dirty pages and metadata.
func mappedBytes() uintptr {
	return (pages.inUse+pages.dirty)<<pageShift + metaBytes() + bufs.total
}

// overheadBytes is what counts against the memory limit besides heap objects.
func overheadBytes() uint64 {
	n := uint64(metaBytes() + bufs.total)
	if StackBytes != nil {
		_, sys := StackBytes()
		n += sys
	}
	return n
}
