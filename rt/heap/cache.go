package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sizeclass"
)

// run is what is left of a run of free slots of one span class, [next, limit). Between allocations
// limit-next is a multiple of size.
type run struct {
	next, limit uintptr
	size        uintptr
	span        *span // the span the run lies in, nil if none

	distance int64 // bytes to the next sample of the memory profile; see profile.go
	sampled  bool  // the run is the slot to sample
	black    bool  // the run's slots are marked: it was taken while a collection marks
	version  uint32
}

// A run and the count of what was taken in runs change together, in this order, so that readers on
// other threads, which do not stop the P, see a run with its count (takenOf): version is odd
// meanwhile. The stores are releases, which are in order among themselves; no call stands between
// them, so a reader waits for the kernel at most, if that takes the thread's CPU away just then.
//
//loam:inline
func (r *run) setRun(taken *uint64, next, limit uintptr, more uint64) {
	v := r.version
	storeRel(&r.version, v+1)
	storeRelPtr(&r.next, next)
	storeRelPtr(&r.limit, limit)
	storeRel64(taken, *taken+more)
	storeRel(&r.version, v+2)
}

// Cache is a P's allocation cache. Only the thread that runs the P uses it, or the
// collector while the world is stopped. It is embedded by value in sched.P.
type Cache struct {
	runs [spanClasses]run

	// The tiny allocator packs pointer-free objects below 16 bytes.
	tiny, tinyEnd uintptr
	tinyCount     uint64 // objects packed into a block that exists already

	// Statistics: slots taken in runs; what is left in a run is subtracted by readers.
	taken [spanClasses]uint64

	largeDistance int64 // bytes of large objects to the next sample
	rate          int64 // of the memory profile, as the cache last saw it

	large        uint64 // large objects allocated, and their bytes
	largeBytes   uint64
	largeVersion uint32 // odd while the two change, as run.version
	inited       bool

	records ownRecords // for specials

	marker worker // of the P: for barriers, assists and slices of marking
	debt   int64  // bytes of marking owed for allocations
}

// currentCache is that of the calling thread's P; nil: it has none.
func currentCache() *Cache { return (*Cache)(cacheOfP()) }

// tinyBlock is the size of the blocks that the tiny allocator fills; tinyClass is
// their class.
const (
	tinyBlock = 16
	tinyClass = spanClass(2*2 + 1)
)

// runBytes bounds a run: it is cleared at once, so it should fit into the first-level
// cache together with what the program works on.
const runBytes = 4096

// InitCache prepares a zeroed cache. Once per P, any stack.
func InitCache(c *Cache) {
	for i := range c.runs {
		c.runs[i].size = sizeclass.Size(spanClass(i).sizeClass())
	}
	c.inited = true
}

// FlushCache gives everything the cache holds back to the central lists. For a P that
// goes for good, and at each collection. The P must not run meanwhile.
func FlushCache(c *Cache) {
	for i := range c.runs {
		r := &c.runs[i]
		if s := r.span; s != nil {
			r.detach(c, spanClass(i))
			centrals[i].release(s)
			// The span was counted as consumed when the cache took it.
			addLive(-int64(uintptr(s.slots-s.count) * s.size))
		}
	}
	c.tiny, c.tinyEnd = 0, 0
}

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
	r.distance += int64(uintptr(left) * r.size)
	r.sampled = false
	r.span = nil
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

// clearsRuns says whether runs of the class are cleared when taken. Scan slots must
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

// countLarge counts a large object of so many bytes. The P's owner.
func (c *Cache) countLarge(bytes uint64) {
	v := c.largeVersion
	storeRel(&c.largeVersion, v+1)
	storeRel64(&c.large, c.large+1)
	storeRel64(&c.largeBytes, c.largeBytes+bytes)
	storeRel(&c.largeVersion, v+2)
}

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
	if s := r.span; s != nil {
		r.detach(c, class)
		cl.release(s)
	}
	sweepForCredit(sizeclass.Pages(class.sizeClass()))
	s := cl.acquire(class)
	if s == nil {
		if mayWait && pagesWait(sizeclass.Pages(class.sizeClass())) {
			return false, true
		}
		if s = newSpan(class); s == nil {
			return false, false
		}
	}
	r.span = s
	addLive(int64(uintptr(s.slots-s.count) * s.size))
	watchLive()
	return r.nextRun(c, class), false
}

// addLive adjusts the estimate of the heap's size that triggers collections.
func addLive(n int64) { atomic.AddUint64(&cycle.live, uint64(n)) }

// boot serves threads without a P: early start, and run-time threads.
var boot struct {
	lock  mutex
	cache Cache
}
