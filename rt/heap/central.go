package heap

import (
	"sync/atomic"

	"loam/rt/sizeclass"
)

// central keeps the spans of one span class that no Cache holds. Every span in use
// is in exactly one of: a Cache, a list here, or the hands of the thread that sweeps
// it (it was popped from unswept under the lock; counted in sweep.active).
type central struct {
	lock    mutex
	partial spanList // swept, some slots free
	full    spanList // swept, none free (for large objects: every span)
	unswept spanList // not swept since the last cycle
	frees   uint64   // objects freed by sweeping, ever
	_       [40]byte // its own cache lines: refills of different classes run at once
}

var centrals [spanClasses]central

// maxTries bounds the spans that one refill sweeps in search of a free slot, so that
// an allocation in a large full heap does not stall; then the heap grows instead, if a memory limit
// has room for that.
const maxTries = 32

// acquire returns a span of the class with at least one free slot, or nil if none is at hand. The
// span belongs to the caller. System stack.
func (c *central) acquire(class spanClass) *span {
	c.lock.Lock()
	if s := c.partial.pop(); s != nil {
		c.lock.Unlock()
		return s
	}
	for try := 0; try < maxTries || pagesShort(0); try++ {
		s := c.unswept.pop()
		if s == nil {
			break
		}
		sweepBegin()
		c.lock.Unlock()
		freed := sweepSpan(s)
		sweepEnd(s.pageCount)
		c.lock.Lock()
		c.countFrees(freed)
		if s.count < s.slots {
			c.lock.Unlock()
			return s
		}
		c.full.pushFront(s)
	}
	c.lock.Unlock()
	return nil
}

// countFrees counts what the sweep of a span has freed, before anybody can get the slots. Caller
// holds the lock; readers do not.
func (c *central) countFrees(n uint64) { storeRel64(&c.frees, c.frees+n) }

// release takes back a span from a Cache: its free index and count are exact.
func (c *central) release(s *span) {
	c.lock.Lock()
	c.put(s)
	c.lock.Unlock()
}

// put files a swept span. Caller holds the lock.
func (c *central) put(s *span) {
	if s.count < s.slots {
		c.partial.pushFront(s)
	} else {
		c.full.pushFront(s)
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

// publish makes the slots of s findable. Everything else is set before.
func publish(s *span, extent uintptr) { atomic.StoreUintptr(&s.extent, extent) }

// dispose returns an empty span to the page allocator.
func dispose(s *span) {
	s.extent = 0
	s.freeBitmaps()
	freePages(s)
}
