package heap

import (
	"sync/atomic"
	"unsafe"
)

// central keeps the spans of one span class that no Cache holds. Every span in use
// is in exactly one of: a Cache, a list here, or the hands of the thread that sweeps
// it (it was popped from unswept under the lock; its pages are still counted in sweep.pages).
type central struct {
	lock    mutex
	partial spanList // swept, some slots free
	full    spanList // swept, none free (for large objects: every span)
	unswept spanList // not swept since the last cycle
	frees   uint64   // objects freed by sweeping, ever; atomic
	// out of the next one's cache lines, wherever centrals begins: refills of different classes run
	// at once
	_ [80]byte
}

var centrals [spanClasses]central

const _ = -(unsafe.Sizeof(central{}) % 64)

// countFrees counts what the sweep of a span has freed, before anybody can get the slots.
func (c *central) countFrees(n uint64) { atomic.AddUint64(&c.frees, n) }

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

// publish makes the slots of s findable. Everything else is set before.
func publish(s *span, extent uintptr) { atomic.StoreUintptr(&s.extent, extent) }

// dispose returns an empty span to the page allocator.
func dispose(s *span) {
	s.extent = 0
	s.freeBitmaps()
	freePages(s)
}
