package heap

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// The memory profile: a sample of allocations with their call stacks, on average one for
// each MemProfileRate bytes, and of what became of them.
//
// Allocation is a Poisson process in bytes; the union of independent Poisson processes
// is one, too. So every span class of every cache draws its own distance, in bytes,
// to its next sample. The distance is consumed when a run of slots is taken, and runs
// end before the slot that is to be sampled; that slot is a run by itself and goes
// through the slow path, which records it. The fast path knows nothing of all this.
//
// A sampled object carries a special; when a cycle finds the object dead, its bucket
// counts a free. As under gc the profile shows the state at the end of the last cycle,
// so that allocations and frees are of one moment: allocations wait in `recent`
// until the next cycle ends (or are shown at once if there was none yet).

// maxProfileStack is the greatest depth recorded.
const maxProfileStack = 128

// bucket counts the samples with one stack and size. It is followed in memory by the
// stack's return addresses, innermost first.
type bucket struct {
	next   *bucket // in the hash chain
	all    *bucket // the next older bucket
	hash   uintptr
	size   uintptr
	depth  uintptr
	recent uint64 // allocated since the last cycle, if epoch is profile.epoch
	epoch  uint64
	allocs uint64
	frees  uint64
}

const profileBuckets = 1 << 12

var profile struct {
	lock   mutex
	table  uintptr // array of *bucket
	newest *bucket
	bytes  uintptr
	epoch  uint64 // counts publications
}

func (b *bucket) stack() []uintptr {
	return unsafe.Slice((*uintptr)(unsafe.Add(unsafe.Pointer(b), unsafe.Sizeof(bucket{}))), b.depth)
}

// sampleDistance draws the bytes to the next sample from the exponential distribution
// with the given mean.
func sampleDistance(rate int64) int64 {
	if rate <= 1 {
		return 1
	}
	u := randomBits()>>11 | 1 // 53 bits, odd: never 0
	// -ln(u / 2^53), from the exponent and a series for the mantissa m in [1, 2):
	// ln m = 2 atanh((m-1)/(m+1)).
	e := bits.Len64(u) - 1
	m := float64(u) / float64(uint64(1)<<e)
	z := (m - 1) / (m + 1)
	z2 := z * z
	ln := 2 * z * (1 + z2*(1.0/3+z2*(1.0/5+z2*(1.0/7+z2/9))))
	const ln2 = 0.6931471805599453
	return int64(float64(rate)*(float64(53-e)*ln2-ln)) + 1
}

// newRate makes a changed rate count at once: it ends all runs, whose lengths were drawn with the
// old one. Caches notice when a span is used up. The thread that runs the P, Locks > 0.
func (c *Cache) newRate(rate int64) {
	c.rate = rate
	c.largeDistance = 0
	for i := range c.runs {
		r := &c.runs[i]
		if s := r.span; s != nil {
			r.detach(c, spanClass(i))
			r.span = s
			c.hold(spanClass(i))
		}
		r.distance = 0
	}
}

// RateChanged makes a new runtime.MemProfileRate count from the next allocation on this P on.
// Goroutine stack; does not allocate.
func RateChanged() {
	acquireM()
	if c := currentCache(); c != nil && profileRate() != c.rate {
		onSystem(func() { c.newRate(profileRate()) })
	}
	releaseM()
}

// sampleRun bounds a run that starts now: it returns how many slots may be taken, at
// most most. If the first slot is the one to sample, it is 1 and r.sampled is set.
func (r *run) sampleRun(most uintptr) uintptr {
	rate := profileRate()
	if rate <= 0 {
		return most
	}
	if r.distance <= 0 {
		r.distance = sampleDistance(rate)
	}
	if before := uintptr(r.distance) / r.size; before > 0 {
		return min(most, before)
	}
	r.sampled = true
	r.distance = 0
	return 1
}

// recordAlloc enters a sampled object into the profile. Goroutine stack, Locks > 0 is
// not needed; p is kept alive by the caller.
//
//go:noinline
func recordAlloc(p unsafe.Pointer, size uintptr) {
	var pcs [maxProfileStack]uintptr
	depth := callers(&pcs)
	s := spanOf(uintptr(p))
	acquireM()
	b := findBucket(&pcs, depth, size)
	releaseM()
	if s == nil || b == nil {
		return
	}
	s.lockSpecials()
	sp := newSpecial(specialKey(uintptr(p)-s.base, specialSample), unsafe.Pointer(b), 0)
	sp.next = s.samples
	s.samples = sp
	s.unlockSpecials()
}

// initProfile makes the table, which takes no memory until something is sampled, but counts in
// statistics. Before the first allocation.
func initProfile() {
	if profile.table == 0 {
		profile.bytes = profileBuckets * 8
		profile.table = uintptr(Permanent(profile.bytes, 8, false))
	}
}

// findBucket returns the bucket of a stack and counts an allocation.
func findBucket(pcs *[maxProfileStack]uintptr, depth int, size uintptr) *bucket {
	h := size
	for i := 0; i < depth; i++ {
		h = (h ^ pcs[i]) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	profile.lock.Lock()
	head := (**bucket)(unsafe.Pointer(profile.table + h%profileBuckets*8))
	b := *head
	for b != nil && !b.is(h, size, pcs, depth) {
		b = b.next
	}
	if b == nil {
		bytes := unsafe.Sizeof(bucket{}) + uintptr(depth)*8
		b = (*bucket)(Permanent(bytes, 8, false))
		b.hash, b.size, b.depth = h, size, uintptr(depth)
		to := b.stack()
		for i := range to {
			to[i] = pcs[i]
		}
		b.next, *head = *head, b
		b.all, profile.newest = profile.newest, b
		profile.bytes += bytes
	}
	b.settle()
	b.recent++
	profile.lock.Unlock()
	return b
}

func (b *bucket) is(hash, size uintptr, pcs *[maxProfileStack]uintptr, depth int) bool {
	if b.hash != hash || b.size != size || b.depth != uintptr(depth) {
		return false
	}
	for i, pc := range b.stack() {
		if pcs[i] != pc {
			return false
		}
	}
	return true
}

// callers walks the frame pointers and returns the depth. Frames of the run-time system
// at the inner end are left out.
func callers(pcs *[maxProfileStack]uintptr) int {
	n := 0
	for fp := framePointer(); fp != 0 && n < maxProfileStack; {
		pc := *(*uintptr)(unsafe.Pointer(fp + 8))
		if pc == 0 {
			break
		}
		if !isHopReturn(pc) && (n > 0 || !isRuntimeText(pc)) {
			pcs[n] = pc
			n++
		}
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
	return n
}

// publishProfile makes the allocations up to now visible. At the end of a cycle, world
// stopped; or under profile.lock if there was no cycle yet.
func publishProfile() { profile.epoch++ }

// settle takes over what was published since the bucket was last looked at. Under profile.lock.
func (b *bucket) settle() {
	if b.epoch != profile.epoch {
		b.epoch = profile.epoch
		b.allocs += b.recent
		b.recent = 0
	}
}

// settleSamples counts the samples of s whose objects died, before s is swept. The caller owns s
// and holds no lock.
func (s *span) settleSamples() {
	var dead deadRecords
	s.lockSpecials()
	for link := &s.samples; *link != nil; {
		sp := *link
		if bitSet(s.mark, s.index(s.base+sp.offset())) {
			link = &sp.next
			continue
		}
		*link = sp.next
		atomic.AddUint64(&(*bucket)(sp.fn).frees, 1)
		dead.add(sp)
	}
	s.unlockSpecials()
	dead.give()
}

// ProfileRecord is one line of the memory profile.
type ProfileRecord struct {
	Size          uintptr // bytes of each object
	Allocs, Frees uint64  // objects sampled
	Stack         []uintptr
}

// ForEachProfileRecord calls f for each record. f must not allocate. Any stack.
func ForEachProfileRecord(f func(r *ProfileRecord)) {
	acquireM()
	profile.lock.Lock()
	if cycle.number == 0 {
		publishProfile()
	}
	for b := profile.newest; b != nil; b = b.all {
		b.settle()
		r := ProfileRecord{Size: b.size, Allocs: b.allocs, Frees: atomic.LoadUint64(&b.frees), Stack: b.stack()}
		f(&r)
	}
	profile.lock.Unlock()
	releaseM()
}
