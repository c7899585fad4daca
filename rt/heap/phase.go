package heap

import "sync/atomic"

// A cycle changes twice what a cache may hold. When marking begins, the slots that are left of a
// run become black. When the cycle is over, the spans are unswept, and what a cache has of them
// goes back. Nobody does that for all Ps while the world stands still, which would take a
// millisecond with sixty of them. Each of the two changes begins a new phase instead. Nobody uses
// a cache of an earlier phase: the thread that takes the P catches up with it first. Until then
// its spans are as those in lists of unswept ones. After a cycle the thread that has ended it
// catches up with the caches of Ps that nobody takes.
//
// Phases change with the world stopped: they are odd while a concurrent collection marks. No cache
// is more than two phases behind, because those of the last cycle are done before the next begins
// (sweepAll).

// catching is set in a cache's phase while a thread catches up with it.
const catching = 1 << 31

// Phase is how many phases have begun: two a cycle. It wraps. Any thread.
//
//loam:inline
func Phase() uint32 { return atomic.LoadUint32(&cycle.phase) }

// Behind reports whether the cache is of an earlier phase. The thread that has the P, or has
// stopped the world.
//
//loam:inline
func (c *Cache) Behind() bool {
	return atomic.LoadUint32(&c.phase) != atomic.LoadUint32(&cycle.phase)
}

// CatchUp makes a cache usable that is of an earlier phase, or waits for the thread that is at it.
// The thread that takes the P, or any that keeps the phase from changing. System stack.
func (c *Cache) CatchUp() {
	now := atomic.LoadUint32(&cycle.phase)
	for tries := 1; ; tries++ {
		was := atomic.LoadUint32(&c.phase)
		switch {
		case was == now:
			return
		case was&catching != 0:
			waitForWriter(tries)
		case atomic.CompareAndSwapUint32(&c.phase, was, was|catching):
			if now&1 != 0 {
				c.meetMark()
			} else {
				c.meetSweep()
			}
			atomic.StoreUint32(&c.phase, now)
			return
		}
	}
}

// catchUpAll catches up with the caches that nobody has yet. The world runs; system stack, with
// a P.
func catchUpAll() {
	hooks.workers.ForEachCache(func(c *Cache) {
		if c.Behind() {
			c.CatchUp()
		}
	})
}

// sweepAll sweeps everything that is left, in caches too, and waits for spans that other threads
// have in hand. System stack, with a P; the world runs.
func sweepAll() {
	catchUpAll()
	sweepLists()
}

// meetMark is for a cache that is used again after marking has begun: from now on what it hands
// out is black.
func (c *Cache) meetMark() {
	w := &c.marker
	w.ready()
	w.bytes, w.objects, w.scanned, w.stacks = 0, 0, 0, 0
	c.debt = 0
	c.spent, c.assists = [markKinds]int64{}, 0
	c.tiny, c.tinyEnd = 0, 0 // a block that a stray word has to keep
	c.eachHeld(func(class spanClass) {
		r := &c.runs[class]
		if left := (r.limit - r.next) / r.size; left != 0 {
			r.span.blacken(r.span.index(r.next), left)
			w.bytes += uint64(left * r.size)
		}
		r.black = true
	})
}

// meetSweep is for a cache after a cycle: its spans are swept, and go back. The markers have
// counted what it had left of black runs as alive.
func (c *Cache) meetSweep() {
	unused := uint64(0)
	c.eachHeld(func(class spanClass) {
		r := &c.runs[class]
		s := r.span
		if r.black {
			unused += uint64(r.limit - r.next)
		}
		r.detach(c, class)
		freed := sweepSpan(s)
		centrals[class].fileSwept(s, freed)
	})
	c.tiny, c.tinyEnd = 0, 0
	c.liveDue = 0 // the cycle has counted anew
	addLive(-int64(unused))
}

// FlushCache gives everything that the cache holds back to the central lists. World stopped.
func FlushCache(c *Cache) {
	if c.Behind() {
		c.CatchUp()
	}
	c.giveBack()
}

func (c *Cache) giveBack() {
	c.eachHeld(func(class spanClass) {
		r := &c.runs[class]
		s := r.span
		r.detach(c, class)
		centrals[class].release(s)
		// The span was counted as consumed when the cache took it.
		addLive(-int64(uintptr(s.slots-s.count) * s.size))
	})
	c.tiny, c.tinyEnd = 0, 0
	addLive(c.liveDue)
	c.liveDue = 0
}

// flushBoot does that for threads without a P, which have no phases. World stopped.
func flushBoot() {
	if boot.cache.inited {
		boot.cache.giveBack()
	}
}

func flushCaches() {
	flushBoot()
	hooks.workers.ForEachCache(FlushCache)
}

// RetireCache takes all from the cache of a P that is no more: what it holds and has marked, and
// its counts, which go on as those of threads without a P. World stopped, system stack.
func RetireCache(c *Cache) {
	FlushCache(c)
	if w := &c.marker; w.buf != nil {
		if !Marking() {
			w.bytes, w.objects, w.scanned, w.stacks = 0, 0, 0, 0 // of the last cycle
		}
		mark.gone.objects += w.objects
		mark.gone.scanned += w.scanned
		mark.gone.stacks += w.stacks
		w.publish()
	}
	if Marking() {
		c.countTimes()
	}
	c.spent, c.assists = [markKinds]int64{}, 0
	acquireM()
	boot.lock.Lock()
	boot.cache.absorb(c)
	boot.lock.Unlock()
	releaseM()
}

// absorb takes over the counts of a cache that holds nothing.
func (c *Cache) absorb(from *Cache) {
	for i := range from.taken {
		c.taken[i] += from.taken[i]
		from.taken[i] = 0
	}
	c.tinyCount += from.tinyCount
	c.large += from.large
	c.largeBytes += from.largeBytes
	from.tinyCount, from.large, from.largeBytes = 0, 0, 0
	c.charged += from.net()
	from.returned = from.charged // which only grows: Charged
}
