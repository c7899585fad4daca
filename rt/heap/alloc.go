package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sizeclass"
)

// zerobase is the address of all objects of size 0.
var zerobase uintptr

// ZeroBase returns that address.
func ZeroBase() unsafe.Pointer { return unsafe.Pointer(&zerobase) }

// Alloc returns a new object of at least size bytes, 8-aligned (16-aligned if size is
// a multiple of 16). noscan: it will hold no pointers. zero: it must be cleared;
// objects that may hold pointers always are. Any stack. It may collect (and so run
// for long), does not park, and throws "out of memory" if there is none.
//
// From reading the cache to taking the object the fast path contains no call, not even
// of a function in another package that would usually be inlined: the goroutine must
// not leave its P in between.
//
//go:noinline
func Alloc(size uintptr, noscan, zero bool) unsafe.Pointer {
	if size > sizeclass.FineMax {
		return allocSlow(size, noscan, zero)
	}
	class := makeSpanClass(sizeclass.FineTable[(size+7)>>3], noscan)
	c := currentCache()
	if c == nil {
		return allocSlow(size, noscan, zero)
	}
	if noscan && size < tinyBlock {
		// Pack it into the current block, aligned as its size allows.
		p := c.tiny
		switch {
		case size&7 == 0:
			p = (p + 7) &^ 7
		case size&3 == 0:
			p = (p + 3) &^ 3
		case size&1 == 0:
			p = (p + 1) &^ 1
		}
		if p+size > c.tinyEnd {
			// The next block, unless each object has its own (tinyEnd is 0).
			r := &c.runs[tinyClass]
			p = r.next
			if c.tinyEnd == 0 || p == r.limit || calls.checked {
				return allocSlow(size, noscan, zero)
			}
			r.next = p + tinyBlock
			c.tiny, c.tinyEnd = p+size, p+tinyBlock
			return unsafe.Pointer(p)
		}
		if size == 0 {
			return allocSlow(size, noscan, zero)
		}
		c.tiny = p + size
		c.tinyCount++
		return unsafe.Pointer(p)
	}
	r := &c.runs[class]
	p := r.next
	if p == r.limit {
		return allocSlow(size, noscan, zero)
	}
	r.next = p + r.size
	if noscan && size > clearedNoscan && zero && !r.span.zero {
		memclr(unsafe.Pointer(p), size)
	}
	return unsafe.Pointer(p)
}

//go:noinline
func allocSlow(size uintptr, noscan, zero bool) unsafe.Pointer {
	if size == 0 {
		return unsafe.Pointer(&zerobase)
	}
	if size > sizeclass.MaxSmall {
		return newLarge(size, noscan, zero)
	}
	tiny := noscan && size < tinyBlock
	take := size
	if tiny {
		take = tinyBlock
	}
	class := makeSpanClass(sizeclass.Of(take), noscan)
	if debug.every != 0 {
		debugCollect()
	}
	collected, waited := false, false
	for {
		acquireM()
		c := currentCache()
		onBoot := c == nil
		if onBoot {
			boot.lock.Lock()
			c = &boot.cache
			if !c.inited {
				InitCache(c)
			}
		}
		r := &c.runs[class]
		ok := r.next != r.limit || r.nextRun(c, class)
		if !ok && !collected && !onBoot && (collectionDue(0) || inDebt(c, refillBytes(class))) {
			// Collect, or help with it, before taking more memory. Then start again: this
			// may be another P by now, and its caches are empty.
			releaseM()
			collected = true
			if canCollect() {
				payForAllocation()
			}
			continue
		}
		if !ok {
			wait := false
			onSystem(func() {
				if ok, wait = c.refill(class, !waited && !onBoot); !onBoot {
					hooks.workers.Refilled()
				}
			})
			if wait {
				releaseM()
				if waited = true; canCollect() {
					markForPages()
				}
				continue
			}
		}
		p := r.next
		clean, sampled := false, false
		if ok {
			sampled = r.sampled
			r.sampled = false
			clean = r.span.zero || class.clearsRuns()
			r.next = p + r.size
			if tiny {
				c.tiny, c.tinyEnd = p+size, p+tinyBlock
				if profileRate() == 1 || isSimulated() {
					// Every object is to be seen. And none keeps a lock beside it reachable,
					// for which leaked goroutines wait (rt/leak).
					c.tinyEnd = 0
				}
			}
		}
		if onBoot {
			boot.lock.Unlock()
		}
		releaseM()
		if !ok {
			if collected || onBoot || !canCollect() {
				outOfMemory(size)
			}
			collected = true
			collectForMemory(size)
			continue
		}
		if zero && !clean {
			memclr(unsafe.Pointer(p), size)
		}
		if sampled {
			recordAlloc(unsafe.Pointer(p), r.size)
		}
		if tiny && calls.checked && !onBoot {
			noteTiny(p)
		}
		return unsafe.Pointer(p)
	}
}

// newLarge gives an object above MaxSmall a span of its own.
func newLarge(size uintptr, noscan, zero bool) unsafe.Pointer {
	if size > maxAlloc { // the buckets of free runs end there
		outOfMemory(size)
	}
	n := (size + pageSize - 1) >> pageShift
	if debug.every != 0 {
		debugCollect()
	}
	var s *span
	for try := 0; ; try++ {
		if canCollect() {
			if try == 1 {
				collectForMemory(size)
			} else if collectionDue(n << pageShift) {
				collectNow(false, n<<pageShift)
			} else if Marking() {
				assistLarge(n << pageShift)
				if pagesWait(n) {
					markForPages()
				}
			}
		}
		acquireM()
		onSystem(func() {
			sweepLarge(n)
			sweepForCredit(n)
			sweepForLimit(n)
			s = takeLarge(n, size, makeSpanClass(0, noscan))
			hooks.workers.Refilled()
		})
		if s != nil {
			break
		}
		releaseM()
		if try == 1 {
			outOfMemory(size)
		}
	}
	sampled := false
	s.stale = !s.zero && !noscan
	if c := currentCache(); c != nil {
		c.countLarge(uint64(s.size))
		if rate := profileRate(); rate > 0 {
			if c.largeDistance <= 0 {
				c.largeDistance = sampleDistance(rate)
			}
			c.largeDistance -= int64(s.size)
			sampled = c.largeDistance <= 0
		}
	} else {
		boot.lock.Lock()
		boot.cache.countLarge(uint64(s.size))
		boot.lock.Unlock()
	}
	p, clean := s.base, s.zero
	publish(s, s.size)
	centrals[s.class].adoptLarge(s)
	releaseM()
	if canCollect() {
		payGrowth()
	}
	// The object is live through p. If a collection scans it before it is cleared,
	// old contents retain garbage for one cycle, no more; so gigabytes need not be
	// cleared in one go without preemption.
	if !clean && (zero || !noscan) {
		clearLarge(p, n<<pageShift)
		s.stale = false
	}
	if sampled {
		recordAlloc(unsafe.Pointer(p), n<<pageShift)
	}
	return unsafe.Pointer(p)
}

// takeLarge returns an unpublished span of n pages with one allocated slot.
func takeLarge(n, size uintptr, class spanClass) *span {
	s := takePages(n)
	if s == nil {
		return nil
	}
	s.class, s.large = class, true
	s.size, s.request = n<<pageShift, size
	s.magic, s.slots, s.free, s.count = 0, 1, 1, 1
	s.newBitmaps()
	addLive(int64(s.size))
	watchLive()
	if atomic.LoadUint32(&marking) != 0 {
		s.blacken(0, 1)
		atomic.AddUint64(&mark.extra, uint64(s.size))
	}
	return s
}

// adoptLarge files a new large object.
func (c *central) adoptLarge(s *span) {
	c.lock.Lock()
	c.full.pushFront(s)
	c.lock.Unlock()
}

// scarce is about collections that were run because the system has no more memory; guarded by
// begin, more or less: a wrong count is no harm.
var scarce struct {
	end    int64 // of the last, nanoseconds
	streak int   // so many in a row took longer than what the program did in between
}

// scarceMost collections of that kind in a row end the program.
const scarceMost = 16

// collectForMemory collects because the system has no memory for size bytes more. If that has been
// the case all the time and the collector takes more than half of it, it gives up: what it finds
// would not last. Goroutine stack, no locks.
func collectForMemory(size uintptr) {
	start := nanotime()
	between := start - scarce.end
	Collect(true)
	scarce.end = nanotime()
	if scarce.end-start <= between {
		scarce.streak = 0
		return
	}
	if scarce.streak++; scarce.streak >= scarceMost {
		printString("runtime: the heap is full, and collecting takes more than half of the time\n")
		outOfMemory(size)
	}
}

// outOfMemory ends the program, with gc's words: it tells whether the system has no memory, or the
// address space is used up.
func outOfMemory(size uintptr) {
	if arena.refused {
		throw("runtime: out of memory")
	}
	printString("runtime: out of memory: cannot allocate ")
	printInt(int64(size))
	printString("-byte block (")
	printInt(int64(pages.inUse << pageShift))
	printString(" in use)\n")
	throw("out of memory")
}

// markForPages marks until the cycle is over, before an allocation takes pages that the limit has
// no room for. Where other threads have all there is in hand it waits, but not for ever: a second
// or so. Goroutine stack, no locks.
func markForPages() {
	began := MarkStart()
	for n := 0; n < 20*maxWaits && Marking() && MarkStart() == began; {
		dry := false
		onSystem(func() { _, dry = Mark(MarkAssist, 1<<20, 0) })
		if dry {
			letMark(n)
			n++
		}
	}
}
