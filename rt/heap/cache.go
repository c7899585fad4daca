package heap

import (
	"math/bits"
	"sync/atomic"

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

	// Bytes of the runs and the large objects that were taken, and of what was given back of runs.
	// These, phase, and the marker are all that a stop of the world looks at.
	charged, returned uint64
	liveDue           int64       // bytes that cycle.live does not have yet
	phase             uint32      // atomic: see phase.go
	held              heldClasses // of which there is a span

	largeDistance int64 // bytes of large objects to the next sample
	rate          int64 // of the memory profile, as the cache last saw it

	large        uint64 // large objects allocated, and their bytes
	largeBytes   uint64
	largeVersion uint32 // odd while the two change, as run.version
	inited       bool

	records ownRecords // for specials

	marker worker // of the P: for barriers, assists and slices of marking
	debt   int64  // bytes of marking owed for allocations

	// What the P has marked in the cycle: nanoseconds, and how often for an allocation.
	spent   [markKinds]int64
	assists uint64
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

// InitCache prepares a zeroed cache. Once per P, any stack. World stopped, or at the start.
func InitCache(c *Cache) {
	for i := range c.runs {
		c.runs[i].size = sizeclass.Size(spanClass(i).sizeClass())
	}
	c.phase = atomic.LoadUint32(&cycle.phase)
	c.inited = true
}

// Charged returns how many bytes were taken from the cache: it grows by a whole run of slots when
// an allocation takes the run. The P's owner.
//
//loam:inline
func (c *Cache) Charged() uint64 { return c.charged }

// net is how many bytes of objects were allocated, with what is left of runs. World stopped.
func (c *Cache) net() uint64 { return c.charged - c.returned }

// countLarge counts a large object of so many bytes. The P's owner.
func (c *Cache) countLarge(bytes uint64) {
	c.charged += bytes
	v := c.largeVersion
	storeRel(&c.largeVersion, v+1)
	storeRel64(&c.large, c.large+1)
	storeRel64(&c.largeBytes, c.largeBytes+bytes)
	storeRel(&c.largeVersion, v+2)
}

// heldClasses has a bit for each class of which a cache has a span.
type heldClasses [(spanClasses + 63) / 64]uint64

// hold notes that the cache has a span of the class.
func (c *Cache) hold(class spanClass) { c.held[class>>6] |= 1 << (class & 63) }

// eachHeld calls f for the classes of which the cache has a span.
func (c *Cache) eachHeld(f func(class spanClass)) {
	for i, w := range c.held {
		for ; w != 0; w &= w - 1 {
			f(spanClass(i<<6 + bits.TrailingZeros64(w)))
		}
	}
}

// addLive adjusts the estimate of the heap's size that triggers collections.
func addLive(n int64) { atomic.AddUint64(&cycle.live, uint64(n)) }

// addLive is addLive for what a P takes, which says so in steps of some size: many Ps that allocate
// would pass the word around.
func (c *Cache) addLive(n int64) {
	if c.liveDue += n; c.liveDue >= int64(atomic.LoadUint64(&cycle.step)) {
		addLive(c.liveDue)
		c.liveDue = 0
	}
}

// boot serves threads without a P: early start, and run-time threads.
var boot struct {
	lock  mutex
	cache Cache
}
