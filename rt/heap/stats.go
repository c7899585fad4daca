package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sizeclass"
)

// Stats is what runtime.MemStats and runtime/metrics are made of. Bytes and
// nanoseconds; names as in runtime.MemStats where they mean the same.
type Stats struct {
	Alloc, TotalAlloc, Sys, Mallocs, Frees                        uint64
	HeapAlloc, HeapSys, HeapIdle, HeapInuse, HeapReleased         uint64
	HeapObjects                                                   uint64
	StackInuse, StackSys                                          uint64
	MSpanInuse, MSpanSys, MCacheInuse, MCacheSys, GCSys, OtherSys uint64
	BuckHashSys                                                   uint64
	NextGC, LastGC, PauseTotalNs                                  uint64
	PauseNs, PauseEnd                                             [256]uint64
	NumGC, NumForcedGC                                            uint32
	GCCPUFraction                                                 float64
	BySize                                                        [sizeclass.Count]SizeStats

	// Beyond MemStats.
	TinyAllocs     uint64
	LargeAlloc     uint64 // bytes of large objects allocated, ever
	LargeMallocs   uint64
	LargeFree      uint64 // bytes
	LargeFrees     uint64
	Scavenged      uint64 // bytes given back, ever
	LiveMarked     uint64 // found live by the last cycle
	StackScanned   uint64 // by the last cycle
	GlobalsScanned uint64
	GCTime         uint64 // CPU time of all cycles
	Trigger        uint64
	MemoryLimit    uint64
	GCPercent      int32

	// CPU time of marking by kind, and of pauses
	AssistTime, SliceTime, IdleMarkTime, PauseCPUTime uint64
	// giving memory back, after cycles and on demand
	ScavengeTime, FreeTime uint64
	PacerError             float64 // see PacerError
	LastGoal               uint64  // in force in the last cycle
	Assists                uint64  // times that an allocation marked
	Retries                uint64  // terminations that found too much
}

// SizeStats is one line of MemStats.BySize.
type SizeStats struct {
	Size            uint32
	Mallocs, Frees  uint64
	ScanN, NoscanN  uint64 // allocated, by kind
	ScanFN, NscanFN uint64 // freed, by kind
}

// ReadStats fills st with counts that fit together, while the program runs. Goroutine stack, no
// locks.
//
// It stops nobody. The caller keeps its P, so that no cycle begins or ends meanwhile, and no P
// comes or goes: all that changes only with the world stopped is of one moment by itself. While it
// holds the pages, for some microseconds, none is taken or freed. Of each size class it reads what
// was freed before what was allocated, and again if more was freed meanwhile: a slot could have had
// an object in both. So no object is counted as freed that was not counted as allocated, and the
// pages in use hold all that is. What the caller has allocated, and what it knows that others have,
// is counted.
func ReadStats(st *Stats) {
	stacks := hooks.stacks.Bytes(true)
	onSystem(func() {
		acquireM()
		memclr(unsafe.Pointer(st), unsafe.Sizeof(*st))
		var t sums
		holdPages()
		t.gather()
		st.readPages()
		releasePages()
		st.count(&t)
		st.StackInuse, st.StackSys = stacks, stacks
		st.readRest()
		releaseM()
	})
}

// largeLists are the central lists of large objects.
func largeLists() []central { return centrals[:makeSpanClass(1, false)] }

// holdPages keeps all pages where they are, and large objects from being freed: of these there are
// two counts. System stack.
func holdPages() {
	for i := range largeLists() {
		largeLists()[i].lock.Lock()
	}
	pages.lock.Lock()
}

func releasePages() {
	pages.lock.Unlock()
	for i := range largeLists() {
		largeLists()[i].lock.Unlock()
	}
}

// takenOf returns how many slots of the class the cache has handed out. The P may run: setRun.
func (c *Cache) takenOf(class spanClass) uint64 {
	r := &c.runs[class]
	for tries := 1; ; tries++ {
		v := atomic.LoadUint32(&r.version)
		next, limit := atomic.LoadUintptr(&r.next), atomic.LoadUintptr(&r.limit)
		taken := atomic.LoadUint64(&c.taken[class])
		if v&1 == 0 && atomic.LoadUint32(&r.version) == v {
			if next == limit {
				return taken
			}
			return taken - uint64((limit-next)/r.size)
		}
		waitForWriter(tries)
	}
}

// largeOf returns how many large objects the cache has counted, and their bytes. As takenOf.
func (c *Cache) largeOf() (n, bytes uint64) {
	for tries := 1; ; tries++ {
		v := atomic.LoadUint32(&c.largeVersion)
		n, bytes = atomic.LoadUint64(&c.large), atomic.LoadUint64(&c.largeBytes)
		if v&1 == 0 && atomic.LoadUint32(&c.largeVersion) == v {
			return n, bytes
		}
		waitForWriter(tries)
	}
}

// waitForWriter gives a thread that is between two of five stores the CPU, if it has lost it there.
func waitForWriter(tries int) {
	if tries&63 == 0 {
		yieldThread()
	} else {
		pause()
	}
}

// sums adds the counters of all caches.
type sums struct {
	taken, frees             [spanClasses]uint64
	tiny, large, largeBytes  uint64
	largeFreed               uint64 // bytes
	bytesAllocated, bytesFed uint64
}

func (t *sums) add(c *Cache) {
	for i := range c.taken {
		if atomic.LoadUint64(&c.taken[i]) != 0 { // it is of most classes, and of large objects
			t.taken[i] += c.takenOf(spanClass(i))
		}
	}
	t.tiny += atomic.LoadUint64(&c.tinyCount)
	n, bytes := c.largeOf()
	t.large += n
	t.largeBytes += bytes
}

// gather computes t, which is zero. World stopped, or between holdPages and releasePages.
func (t *sums) gather() {
	for i := range t.frees {
		t.frees[i] = atomic.LoadUint64(&centrals[i].frees)
	}
	t.add(&boot.cache)
	hooks.workers.ForEachCache(func(c *Cache) { t.add(c) })
	for i := range t.taken {
		for t.frees[i] != atomic.LoadUint64(&centrals[i].frees) {
			t.again(spanClass(i))
		}
		size := uint64(sizeclass.Size(spanClass(i).sizeClass()))
		t.bytesAllocated += t.taken[i] * size
		t.bytesFed += t.frees[i] * size // class 0 has size 0
	}
	t.largeFreed = atomic.LoadUint64(&sweep.largeFreed)
	t.bytesAllocated += t.largeBytes
	t.bytesFed += t.largeFreed
}

// again counts the slots of a class anew, of which some were freed meanwhile. That comes to an end:
// no cycle ends, so there are ever fewer spans to sweep.
func (t *sums) again(class spanClass) {
	t.frees[class] = atomic.LoadUint64(&centrals[class].frees)
	t.taken[class] = boot.cache.takenOf(class)
	hooks.workers.ForEachCache(func(c *Cache) { t.taken[class] += c.takenOf(class) })
}

// totalAllocated is the bytes of objects allocated since the start, and what is left of runs,
// liveBytes those not yet freed by sweeping. World stopped, system stack.
func totalAllocated() (bytes uint64) {
	bytes = boot.cache.net()
	hooks.workers.ForEachCache(func(c *Cache) { bytes += c.net() })
	return bytes
}

func liveBytes() (live, allocated uint64) {
	freed := atomic.LoadUint64(&sweep.largeFreed)
	for i := range centrals {
		class := spanClass(i) // class 0 has size 0
		freed += atomic.LoadUint64(&centrals[i].frees) * uint64(sizeclass.Size(class.sizeClass()))
	}
	allocated = totalAllocated()
	return allocated - freed, allocated
}

// count takes over the objects.
func (st *Stats) count(t *sums) {
	for i := range centrals {
		class := spanClass(i)
		n, f := t.taken[i], t.frees[i]
		if class.sizeClass() == 0 {
			st.LargeFrees += f
			continue
		}
		b := &st.BySize[class.sizeClass()]
		b.Size = uint32(sizeclass.Size(class.sizeClass()))
		b.Mallocs += n
		b.Frees += f
		if class.noscan() {
			b.NoscanN, b.NscanFN = n, f
		} else {
			b.ScanN, b.ScanFN = n, f
		}
		st.Mallocs += n
		st.Frees += f
	}
	st.LargeAlloc, st.LargeMallocs = t.largeBytes, t.large
	st.LargeFree = t.largeFreed
	st.TinyAllocs = t.tiny
	// Tiny objects are freed with their block; count them freed as they come, so
	// that Mallocs-Frees is the number of live slots.
	st.Mallocs += t.large + t.tiny
	st.Frees += st.LargeFrees + t.tiny
	st.HeapObjects = st.Mallocs - st.Frees
	st.TotalAlloc = t.bytesAllocated
	st.HeapAlloc = t.bytesAllocated - t.bytesFed
	st.Alloc = st.HeapAlloc
}

// readPages reads what pages.lock guards; it is held.
func (st *Stats) readPages() {
	st.HeapSys = uint64(arena.used)
	st.HeapInuse = uint64(pages.inUse << pageShift)
	st.HeapIdle = st.HeapSys - st.HeapInuse
	st.HeapReleased = uint64(pages.free-pages.dirty) << pageShift
	st.Scavenged = pages.scavSum
}

// readRest reads what changes only with the world stopped, and single words.
func (st *Stats) readRest() {
	meta.lock.Lock()
	spanBytes, bitBytes := uint64(meta.spanBytes), uint64(meta.bitBytes)
	meta.lock.Unlock()
	persistent.lock.Lock()
	permanent := uint64(metaBytes())
	persistent.lock.Unlock()
	st.MSpanInuse, st.MSpanSys = spanBytes, spanBytes
	st.MCacheInuse = uint64(procCount()) * uint64(unsafe.Sizeof(Cache{}))
	st.MCacheSys = st.MCacheInuse
	st.GCSys = bitBytes + uint64(atomic.LoadUintptr(&bufs.total)+roots.cap*24)
	st.BuckHashSys = uint64(profile.bytes)
	st.OtherSys = permanent - min(permanent, spanBytes+bitBytes+st.BuckHashSys)
	st.Sys = st.HeapSys + st.StackSys + st.MSpanSys + st.MCacheSys + st.GCSys + st.BuckHashSys + st.OtherSys

	st.NextGC = goalInForce()
	st.Trigger = atomic.LoadUint64(&cycle.trigger)
	st.LastGC, st.PauseTotalNs = stats.lastGC, stats.pauseTotal
	st.PauseNs, st.PauseEnd = stats.pauseNs, stats.pauseEnd
	st.NumGC, st.NumForcedGC = cycle.number, stats.numForced
	st.GCTime = stats.gcTime
	st.GCCPUFraction = gcFraction()
	st.LiveMarked = cycle.liveMarked
	st.StackScanned, st.GlobalsScanned = roots.stackBytes, roots.globalBytes
	st.AssistTime, st.SliceTime, st.IdleMarkTime, st.PauseCPUTime = stats.assistNs, stats.sliceNs, stats.idleNs, stats.pauseCPU
	st.ScavengeTime, st.FreeTime = atomic.LoadUint64(&stats.scavengeNs), atomic.LoadUint64(&stats.freeNs)
	st.PacerError, st.LastGoal, st.Assists, st.Retries = PacerError(), cycle.lastGoal, stats.assists, stats.retries
	st.MemoryLimit, st.GCPercent = cycle.pacer.Limit(), cycle.pacer.Percent()
}

// recordPause files the pauses of the cycle just counted: ns in all, each from when the world was
// asked to stop, as gc counts them; the world stood still for part of that.
func recordPause(ns, still int64) {
	sec, nsec := walltime()
	at := uint64(sec)*1e9 + uint64(nsec)
	i := (cycle.number + 255) % 256
	stats.pauseNs[i] = uint64(ns)
	stats.pauseEnd[i] = at
	stats.pauseTotal += uint64(ns)
	stats.pauseCPU += uint64(still) * uint64(procCount())
	stats.lastGC = at
}

// Pauses copies up to 256 pauses and their ends, newest first, and returns how many, with the
// number of cycles and the sum of all pauses, as debug.ReadGCStats wants them. Goroutine stack.
func Pauses(ns, ends *[256]uint64) (n int, last uint64, cycles uint32, sum uint64) {
	acquireM() // cycles end with the world stopped
	n = int(min(cycle.number, 256))
	for i := range n {
		j := (cycle.number + 255 - uint32(i)) % 256
		ns[i], ends[i] = stats.pauseNs[j], stats.pauseEnd[j]
	}
	last, cycles, sum = stats.lastGC, cycle.number, stats.pauseTotal
	releaseM()
	return n, last, cycles, sum
}
