package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sizeclass"
)

// How a P's cache gets a run of free slots: from the span that it has, from another one that is
// swept for it, or from a new one.

// detach takes the span away from the run, and corrects its counts by the part of
// the run that was not used.
func (r *run) detach(c *Cache, class spanClass) {
	s := r.span
	left := uint32((r.limit - r.next) / r.size)
	// Before the marks are taken back, or a marker with a stray word could take a slot for an
	// object that is not marked.
	s.free -= left
	if left != 0 {
		// A stray word may have marked a slot that was never handed out.
		s.unmark(s.index(r.next), uintptr(left))
		if r.black {
			c.marker.bytes -= uint64(left) * uint64(r.size)
		}
	}
	r.black = false
	s.count -= left
	r.setRun(&c.taken[class], 0, 0, -uint64(left))
	c.returned += uint64(left) * uint64(r.size)
	r.distance += int64(uintptr(left) * r.size)
	r.sampled = false
	r.span = nil
	c.held[class>>6] &^= 1 << (class & 63)
}

// nextRun finds the next run of free slots in the span. It returns false if
// there is no span or it is exhausted. No locks, any stack with Locks > 0.
func (r *run) nextRun(c *Cache, class spanClass) bool {
	s := r.span
	if s == nil {
		return false
	}
	n := uintptr(s.slots)
	from := nextClear(s.alloc, uintptr(s.free), n)
	if from == n {
		s.free = s.slots
		return false
	}
	most := max(runBytes/r.size, 1)
	if debug.every != 0 {
		most = 1
	}
	most = r.sampleRun(most)
	to := nextSet(s.alloc, from, min(from+most, n))
	s.free = uint32(to)
	s.count += uint32(to - from)
	r.distance -= int64((to - from) * r.size)
	c.charged += uint64((to - from) * r.size)
	r.setRun(&c.taken[class], s.slotAt(from), s.slotAt(to), uint64(to-from))
	if r.black = atomic.LoadUint32(&marking) != 0; r.black {
		s.blacken(from, to-from)
		c.marker.bytes += uint64((to - from) * r.size)
	}
	if !s.zero && class.clearsRuns() {
		memclr(unsafe.Pointer(r.next), r.limit-r.next)
	}
	return true
}

// clearsRuns reports whether runs of the class are cleared when taken. Scan slots must
// be zero before the collector can see them; small noscan ones are cheaper to clear
// together. Larger noscan objects are cleared one by one, when asked.
func (c spanClass) clearsRuns() bool {
	return !c.noscan() || c.sizeClass() <= clearedNoscanClass
}

// clearedNoscan is the largest noscan slot size that is always cleared.
const (
	clearedNoscan      = 128
	clearedNoscanClass = 10
)

// refillBytes is about what a refill takes out of the free memory.
func refillBytes(class spanClass) uintptr { return sizeclass.Pages(class.sizeClass()) << pageShift / 2 }

// refill replaces the exhausted span by one with free slots and takes its
// first run. System stack, Locks > 0. Not ok: out of memory, or the caller, who may, is to wait for
// room below the memory limit.
func (c *Cache) refill(class spanClass, mayWait bool) (ok, wait bool) {
	r := &c.runs[class]
	cl := &centrals[class]
	if rate := profileRate(); rate != c.rate {
		c.newRate(rate)
	}
	old := r.span
	if old != nil {
		r.detach(c, class)
	}
	sweepForCredit(sizeclass.Pages(class.sizeClass()))
	s := cl.exchange(old)
	if s == nil {
		if mayWait && pagesWait(sizeclass.Pages(class.sizeClass())) {
			return false, true
		}
		if s = newSpan(class); s == nil {
			return false, false
		}
	}
	r.span = s
	c.hold(class)
	c.addLive(int64(uintptr(s.slots-s.count) * s.size))
	watchLive()
	return r.nextRun(c, class), false
}

// maxTries bounds the spans that one refill sweeps in search of a free slot, so that
// an allocation in a large full heap does not stall; then the heap grows instead, if a memory limit
// has room for that.
const maxTries = 32

// exchange takes back a span that a cache has used up, unless it is nil, and returns one with at
// least one free slot, or nil if none is at hand. The span belongs to the caller. A span that was
// swept in vain goes back as the first does, with the next look at the lists, so that a refill
// mostly takes the lock once. System stack.
func (c *central) exchange(back *span) *span {
	for try := 0; ; try++ {
		c.lock.Lock()
		if back != nil {
			c.put(back)
		}
		s := c.partial.pop()
		if s != nil {
			c.lock.Unlock()
			return s
		}
		if try < maxTries || pagesShort(0) {
			s = c.unswept.pop()
		}
		c.lock.Unlock()
		if s == nil {
			return nil
		}
		c.countFrees(sweepSpan(s))
		swept(s.pageCount)
		if s.count < s.slots {
			return s
		}
		back = s
	}
}

// newSpan makes a span of the class from fresh pages.
func newSpan(class spanClass) *span {
	k := class.sizeClass()
	sweepForLimit(sizeclass.Pages(k))
	s := takePages(sizeclass.Pages(k))
	if s == nil {
		return nil
	}
	s.class = class
	s.size = sizeclass.Size(k)
	s.magic = sizeclass.Magic(k)
	s.slots = uint32(sizeclass.Slots(k))
	s.free, s.count = 0, 0
	s.newBitmaps()
	publish(s, uintptr(s.slots)*s.size)
	return s
}
