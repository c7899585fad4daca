package heap

import (
	"sync/atomic"

	"loam/rt/race"
)

// Sweeping turns the marks of the finished cycle into the allocation bitmap of the
// next. The bitmaps are swapped, so a span costs a few words of work however many
// objects died; nothing is written to the objects.
//
// Three things sweep: a refill that looks for free slots (central.exchange), the
// credit that every refill pays (sweepForCredit), and the start of the next cycle,
// which sweeps what is left.

var sweep struct {
	_      cacheLine
	ratio  uint64 // pages to sweep for each page allocated, in 1/256; atomic
	_      cacheLine
	pages  uint64 // of spans that are not swept yet, or that somebody has in hand; atomic
	cursor uint32 // class where sweepAny looks first, atomic

	largeFreed uint64 // bytes of large objects freed, ever; atomic
	_          cacheLine
}

// swept counts pages that were not swept before. Their spans are swept, and in a list or about to
// be put there by a thread that is not stopped before it has done so.
func swept(pageCount uintptr) { atomic.AddUint64(&sweep.pages, -uint64(pageCount)) }

// sweepSpan sweeps s, which the caller owns, and returns the number of objects freed.
// Afterwards s.count is the number of objects left.
func sweepSpan(s *span) (freed uint64) {
	if s.toSettle() {
		s.lockSpecials()
		s.settleFirst()
		s.unlockSpecials()
	}
	if debug.poison {
		poisonDead(s)
	}
	if race.Enabled {
		forgetDead(s)
	}
	if s.samples != nil {
		s.settleSamples()
	}
	live := uint32(0)
	for i := uintptr(0); i < uintptr(s.words); i++ {
		live += uint32(onesCount(*wordAt(s.mark, i)))
	}
	if live > s.count {
		throw("heap: more objects marked than allocated")
	}
	freed = uint64(s.count - live)
	old := s.alloc
	atomic.StoreUintptr(&s.alloc, s.mark) // before the old one is cleared: FindObject
	s.mark = old
	for i := uintptr(0); i < uintptr(s.words); i++ {
		*wordAt(s.mark, i) = 0
	}
	s.count, s.free = live, 0
	s.zero = false
	return freed
}

// fileSwept puts s where it belongs after sweeping: to the page allocator if empty.
// Caller has popped s and holds no lock.
func (c *central) fileSwept(s *span, freed uint64) {
	switch {
	case s.count != 0:
		c.countFrees(freed)
		c.lock.Lock()
		c.put(s)
		c.lock.Unlock()
	case s.large: // of these there are two counts: holdPages
		c.lock.Lock()
		c.countFrees(freed)
		atomic.AddUint64(&sweep.largeFreed, uint64(s.size))
		c.lock.Unlock()
		dispose(s)
	default:
		c.countFrees(freed)
		dispose(s)
	}
}

// sweepAny sweeps one unswept span of any class and returns its pages, 0 if there
// was none, and how many of them became free. System stack.
func sweepAny() (pageCount, reclaimed uintptr) {
	for k := atomic.LoadUint32(&sweep.cursor); k < spanClasses; {
		if n, r := centrals[k].sweepNext(); n != 0 {
			return n, r
		}
		// Nothing is added to unswept lists between cycles, so the class is done.
		atomic.CompareAndSwapUint32(&sweep.cursor, k, k+1)
		k = max(k+1, atomic.LoadUint32(&sweep.cursor))
	}
	return 0, 0
}

// sweepNext sweeps one unswept span of c and returns its pages (0: there was none), and
// how many of them became free.
func (c *central) sweepNext() (pageCount, reclaimed uintptr) {
	c.lock.Lock()
	s := c.unswept.pop()
	c.lock.Unlock()
	if s == nil {
		return 0, 0
	}
	pageCount = s.pageCount
	freed := sweepSpan(s)
	if s.count == 0 {
		reclaimed = pageCount
	}
	c.fileSwept(s, freed)
	swept(pageCount)
	return pageCount, reclaimed
}

// sweepLarge sweeps large objects until n pages were reclaimed or none is unswept, so
// that the heap does not grow while dead ones hold memory. It costs next to nothing:
// one bit each. System stack.
func sweepLarge(n uintptr) {
	for got := uintptr(0); got < n; {
		done, reclaimed := centrals[0].sweepNext()
		if done == 0 {
			done, reclaimed = centrals[1].sweepNext()
		}
		if done == 0 {
			return
		}
		got += reclaimed
	}
}

// sweepForCredit sweeps in proportion to an allocation of n pages. System stack.
func sweepForCredit(n uintptr) {
	if atomic.LoadUint64(&sweep.pages) == 0 {
		return
	}
	due := (n*uintptr(atomic.LoadUint64(&sweep.ratio)) + 255) >> 8
	watch(WatchSweepBegin, 0, 0)
	done, reclaimed := uintptr(0), uintptr(0)
	for done < due {
		k, r := sweepAny()
		if k == 0 {
			break
		}
		done += k
		reclaimed += r
	}
	watch(WatchSweepEnd, uint64(done)<<pageShift, uint64(reclaimed)<<pageShift)
}

// sweepLists sweeps all that is left in lists, and waits for spans that other threads have in hand.
// System stack.
func sweepLists() {
	watched := Watch != nil && atomic.LoadUint64(&sweep.pages) != 0
	if watched {
		watch(WatchSweepBegin, 0, 0)
	}
	done, reclaimed := uintptr(0), uintptr(0)
	for k, r := sweepAny(); k != 0; k, r = sweepAny() {
		done += k
		reclaimed += r
	}
	if watched {
		watch(WatchSweepEnd, uint64(done)<<pageShift, uint64(reclaimed)<<pageShift)
	}
	for atomic.LoadUint64(&sweep.pages) != 0 {
		yieldThread()
	}
}

// sweepStart makes every span in a list unswept. The world is stopped; caches have a new phase.
// headroom is the number of bytes that may be allocated before the next cycle.
func sweepStart(headroom uintptr) {
	total := uintptr(0)
	for i := range centrals {
		c := &centrals[i]
		c.unswept.takeAll(&c.partial)
		c.unswept.takeAll(&c.full)
		total += c.unswept.pages
	}
	// A tenth more than needed, so that it is done before the trigger.
	room := headroom>>pageShift + 1
	atomic.StoreUint64(&sweep.ratio, uint64(total*282/room+1))
	atomic.StoreUint64(&sweep.pages, uint64(total))
	atomic.StoreUint32(&sweep.cursor, 0)
}

// forgetDead tells the detector of data races that the next owner of the objects' memory has
// nothing to do with the last one.
func forgetDead(s *span) {
	for i, n := uintptr(0), uintptr(s.slots); i < n; i++ {
		first := i
		for i < n && !bitSet(s.mark, i) {
			i++
		}
		if i > first {
			race.Run.Forget(s.slotAt(first), (i-first)*s.size)
		}
	}
}

// poisonDead overwrites the objects that are about to be freed (LOAMDEBUG=gcpoison=1).
func poisonDead(s *span) {
	for i := uintptr(0); i < uintptr(s.slots); i++ {
		if s.allocated(i) && !bitSet(s.mark, i) {
			fillBytes(ptr(s.slotAt(i)), poisonByte, s.size)
		}
	}
}
