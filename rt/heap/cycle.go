package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/pacer"
)

// The collection cycle. runCycle lists the phases in order; each has its own file:
// roots.go, mark.go, specials.go, sweep.go, scavenge.go.

var cycle struct {
	live    uint64 // estimate of the heap in bytes: objects and free slots in caches; atomic
	trigger uint64 // collect when live reaches this; atomic
	number  uint32 // finished cycles
	running uint32 // 1 while somebody collects; atomic
	off     bool   // GOGC=off and no memory limit
	ready   bool   // pacer is initialised

	pacer pacer.Pacer // touched only by who has running

	// For the report on a cycle, and the pacer.
	start, stopped, marked, end int64 // nanoseconds
	lastEnd                     int64
	before, after, liveMarked   uint64
	goal                        uint64
	usedAtLast                  uint64 // total bytes allocated at the end of the last cycle
}

// Init prepares the heap. Once, before the first allocation, on the first thread.
func Init() {
	pages.lock.Lock()
	if arena.base == 0 {
		arenaInit()
	}
	pages.lock.Unlock()
	initPacer()
	readSettings()
	cycle.lastEnd = nanotime()
	stats.start = cycle.lastEnd
}

func initPacer() {
	if !cycle.ready {
		cycle.pacer.Init()
		cycle.ready = true
		atomic.StoreUint64(&cycle.trigger, cycle.pacer.Goal())
	}
}

// collectionDue says whether the heap, with so many bytes more, reaches its trigger and
// nobody is collecting. Whether the caller may is another question (canCollect).
func collectionDue(bytes uintptr) bool {
	return atomic.LoadUint64(&cycle.live)+uint64(bytes) >= atomic.LoadUint64(&cycle.trigger) &&
		cycle.ready && atomic.LoadUint32(&cycle.running) == 0
}

// Collect runs a whole cycle and sweeps, as runtime.GC does. It waits for a cycle
// that is under way, because that one may have begun before the caller dropped its
// references. Goroutine stack, no locks.
func Collect(force bool) {
	for !begin() {
		yield()
	}
	claimWorld()
	scrubStack()
	onSystem(func() { runCycle(force) })
}

// scrubStack clears the part of the stack that the frames from here to the collector will
// take. They do not write every word of theirs, and what deeper calls left there
// before would keep dead objects alive, at the same place in each cycle.
//
//go:noinline
func scrubStack() {
	var dead [128]uintptr
	memclr(ptr(addrOf(&dead)), unsafe.Sizeof(dead))
}

// collectNow runs a cycle unless another thread is at it; then it returns at once.
// Goroutine stack, no locks.
func collectNow(force bool) {
	if !begin() {
		yield()
		return
	}
	claimWorld()
	scrubStack()
	onSystem(func() { runCycle(force) })
}

func claimWorld() {
	if ClaimWorld != nil {
		ClaimWorld()
	}
}

func begin() bool { return atomic.CompareAndSwapUint32(&cycle.running, 0, 1) }

func finish() { atomic.StoreUint32(&cycle.running, 0) }

func yield() {
	if Yield != nil && canCollect() {
		Yield()
	} else {
		yieldThread()
	}
}

// runCycle is one collection. The caller has called begin and is on the system stack;
// its goroutine's registers are saved (OnSystemStack did). forced: by runtime.GC and
// such, not by the trigger.
func runCycle(forced bool) {
	// 1. What the last cycle left unswept: its marks are still the truth about
	//    what is free.
	cycle.start = nanotime()
	sweepAll()

	// 2. Stop. From here on no thread allocates, and all caches are empty, so that
	//    free indexes are exact.
	if StopWorld != nil {
		StopWorld()
	}
	cycle.stopped = nanotime()
	sweepAll()
	flushCaches()
	if PoolCleanup != nil {
		PoolCleanup()
	}
	cycle.before = liveBytes()

	// 3. Mark from the roots. Objects with finalizers keep what they point at, but
	//    not themselves.
	lead := &mark.workers[0]
	lead.start()
	gatherRoots()
	rootSpecials(lead)
	markAll()

	// 4. Unreachable objects: clear weak pointers, queue finalizers and cleanups.
	//    Those with finalizers live on until the next cycle.
	publishProfile()
	queued := deadSpecials(lead)
	markRest(lead)
	cycle.marked = nanotime()

	// 5. The marks are complete: the next goal, and every span is unswept.
	lead.finish()
	finishMark(lead, forced)
	if debug.verify {
		verifyHeap()
	}

	// 6. Go on.
	cycle.end = nanotime()
	recordPause(cycle.stopped, cycle.end)
	traceCycle(forced)
	if StartWorld != nil {
		StartWorld()
	}
	finish()

	// 7. With the program running: memory that has not been used for some time
	//    goes back to the system; a forced cycle sweeps before it returns.
	if forced {
		sweepAll()
	}
	scavengeOld()
	if queued && WakeFinalizers != nil {
		WakeFinalizers()
	}
	if CycleDone != nil {
		CycleDone()
	}
}

func flushCaches() {
	if boot.cache.inited {
		FlushCache(&boot.cache)
	}
	if ForEachCache != nil {
		ForEachCache(FlushCache)
	}
}

// markRest drains what the specials made grey, alone: it is little.
func markRest(w *worker) {
	mark.n, mark.idle = 1, 0
	w.drain()
}

// finishMark accounts for the cycle, sets the next goal and makes all spans unswept.
func finishMark(w *worker, forced bool) {
	cycle.number++
	cycle.liveMarked = w.bytes
	now := nanotime()
	total := totalAllocated()
	wall := uint64(now - cycle.stopped)
	procs := uint64(procCount())
	cycle.pacer.EndCycle(pacer.Cycle{
		Live:      w.bytes,
		Stacks:    roots.stackBytes,
		Globals:   roots.globalBytes,
		Overhead:  overheadBytes(),
		Allocated: total - cycle.usedAtLast,
		GCTime:    wall * procs, // the world stands still: all Ps are lost
		UserTime:  uint64(cycle.stopped-cycle.lastEnd) * procs,
	})
	cycle.usedAtLast = total
	cycle.lastEnd = now
	stats.gcTime += uint64(now-cycle.stopped) * procs
	if forced {
		stats.numForced++
	}
	atomic.StoreUint64(&cycle.live, w.bytes)
	setTrigger()
	goal := atomic.LoadUint64(&cycle.trigger)
	sweepStart(uintptr(min(goal-min(goal, w.bytes), 1<<46)))
}

// setTrigger takes over the pacer's goal. While the world stands still during a cycle
// the trigger is the goal.
func setTrigger() {
	cycle.goal = atomic.LoadUint64(&cycle.trigger)
	atomic.StoreUint64(&cycle.trigger, cycle.pacer.Goal())
}

func procCount() int {
	if MaxWorkers != nil {
		return max(MaxWorkers(), 1)
	}
	return 1
}

// The settings. Goroutine stack.

// SetGCPercent is debug.SetGCPercent without the collection that follows it: it
// returns the old value.
func SetGCPercent(percent int32) int32 {
	lockPacer()
	old := cycle.pacer.SetPercent(percent)
	setTrigger()
	finish()
	return old
}

// SetMemoryLimit is debug.SetMemoryLimit: negative only reports.
func SetMemoryLimit(limit int64) int64 {
	lockPacer()
	old := cycle.pacer.SetLimit(limit)
	setTrigger()
	finish()
	return old
}

// SetBudget is LOAMGC=cpu=...,mem=...: the share of CPU time in thousandths that the
// collector may take, and the memory it may use to keep to it (pacer.NoLimit for any).
func SetBudget(share, memory uint64) {
	lockPacer()
	cycle.pacer.SetBudget(share, memory)
	setTrigger()
	finish()
}

func lockPacer() {
	for !begin() {
		yield()
	}
	initPacer()
}
