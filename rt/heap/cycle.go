package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/pacer"
)

// The collection cycle. runCycle lists the phases in order; each has its own file:
// roots.go, mark.go, specials.go, sweep.go, scavenge.go.

var cycle struct {
	live     uint64 // estimate of the heap in bytes: objects and free slots in caches; atomic
	trigger  uint64 // collect when live reaches this; atomic
	begun    uint32 // cycles that have begun to mark
	number   uint32 // finished cycles; it is begun, or one less
	running  uint32 // 1 while somebody collects; atomic
	budgeted uint32 // 1 if the collector has a budget of CPU time; atomic
	off      bool   // GOGC=off and no memory limit
	ready    bool   // pacer is initialised

	pacer pacer.Pacer // touched only by the thread that has running

	// For the report on a cycle, and the pacer.
	start, marked, end int64 // nanoseconds
	// the last stop of the world: when it was asked for, and when the world stood still
	asked, stopped            int64
	lastEnd                   int64
	lastCPU                   int64 // CPU time of the process until then
	before, after, liveMarked uint64
	goal, lastGoal            uint64 // in force (atomic), and in force before the last cycle
	lastTrigger               uint64
	allocatedAtStart          uint64 // total bytes allocated when marking began
	usedAtLast                uint64 // total bytes allocated at the end of the last cycle
}

// Init prepares the heap. Once, before the first allocation, on the first thread.
func Init() {
	hooks = alone
	pages.lock.Lock()
	if arena.base == 0 {
		arenaInit()
	}
	pages.lock.Unlock()
	initPacer()
	initProfile()
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
	return triggered(bytes) && cycle.ready && atomic.LoadUint32(&cycle.running) == 0
}

// CollectSoon makes the next allocation that needs new memory start a collection.
func CollectSoon() { atomic.StoreUint64(&cycle.trigger, 0) }

// triggered says whether the heap, with so many bytes more, reaches its trigger.
func triggered(bytes uintptr) bool {
	return atomic.LoadUint64(&cycle.live)+uint64(bytes) >= atomic.LoadUint64(&cycle.trigger)
}

// Collect returns when a whole cycle is over that began after the call, and everything is swept, as
// runtime.GC does. A cycle that is under way may have begun before the caller dropped its
// references. Callers that come while one waits for a cycle share the next: the first of them runs
// it, in the others' place (ClaimCycle). Goroutine stack, no locks.
func Collect(force bool) {
	acquireM() // begun changes with the world stopped
	mine := cycle.begun + 1
	releaseM()
	claimCycle()
	for int32(GCCount()-mine) < 0 {
		if begin() {
			claimWorld()
			scrubStack()
			onSystem(func() {
				if concurrent() {
					startMark(force)
				} else {
					runCycle(force)
				}
			})
		} else {
			help()
		}
	}
	unclaimCycle()
	onSystem(sweepAll)
}

// Late says whether there was no collection for so long that one should begin although the heap has
// not grown to its goal. The first is not waited for, and with GOGC=off there is none, as in gc.
// Any thread.
func Late(now int64) bool {
	period := debug.period
	if period == 0 {
		period = 120 * 1000000000
	}
	return cycle.number != 0 && now-cycle.lastEnd > period && cycle.pacer.Percent() >= 0 && atomic.LoadUint32(&cycle.running) == 0
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

// CollectIfDue begins a cycle if the heap has reached its trigger and nobody else is at it.
// Goroutine stack, no locks.
func CollectIfDue() {
	if collectionDue(0) {
		collectNow(false, 0)
	}
}

// collectNow runs a cycle unless another thread is at it, or none is due any more for so many bytes
// (and it is not forced); then it returns at once. A concurrent cycle is only started. Goroutine
// stack, no locks.
func collectNow(force bool, bytes uintptr) {
	// Nothing takes the goroutine off its thread from here to the beginning of the cycle: it would
	// stand in a run queue, behind all that can run, while nobody else may begin.
	acquireM()
	if !begin() {
		releaseM()
		if !Marking() {
			yield()
		}
		return
	}
	if !force && !triggered(bytes) || !hooks.world.TryClaim() {
		// For the same reason it does not wait: the next allocation finds the cycle due. And if the
		// trigger was changed before this goroutine could not be stopped any more, that counts:
		// a program that switches collections off wants none to begin.
		finish()
		releaseM()
		return
	}
	scrubStack()
	onSystem(func() {
		if concurrent() {
			startMark(force)
		} else {
			runCycle(force)
		}
	})
	releaseM()
}

// stopForCycle stops the world for a collection.
func stopForCycle() {
	cycle.asked = nanotime()
	hooks.world.ForCycle()
	hooks.world.Stop()
	cycle.stopped = nanotime()
}

func claimWorld() {
	hooks.world.Claim()
}

// claimCycle and unclaimCycle are around what waits for the right to begin, or for the end of a
// cycle: one goroutine at a time does, and marks meanwhile; those who come after it are parked.
func claimCycle() {
	hooks.world.ClaimCycle()
}

func unclaimCycle() {
	hooks.world.UnclaimCycle()
}

func begin() bool { return atomic.CompareAndSwapUint32(&cycle.running, 0, 1) }

func finish() { atomic.StoreUint32(&cycle.running, 0) }

func yield() {
	if canCollect() {
		hooks.world.Yield()
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
	watch(WatchStopping, StopForMark, 0)
	stopForCycle()
	watch(WatchCycleBegin, 0, 0)
	conc.pauses, conc.still = 0, 0
	conc.assistNs, conc.sliceNs, conc.idleNs = 0, 0, 0
	sweepAll()
	flushCaches()
	dropCaches()
	cycle.begun++
	cycle.before, cycle.allocatedAtStart = liveBytes()
	reviewGoal(cycle.before)

	// 3. Mark from the roots. Objects with finalizers keep what they point at, but
	//    not themselves.
	lead := &mark.workers[0]
	lead.start()
	gatherRoots()
	startSpecials()
	for !rootSpecials(lead) {
	}
	markAll()

	if calls.checked {
		checkCalls()
	}
	publishProfile()
	cycle.marked = nanotime()

	// 4. The marks are complete: the next goal, and every span is unswept. What weak pointers,
	//    finalizers and cleanups there are to unreachable objects is settled with the program
	//    running.
	lead.finish()
	finishMark(lead, forced)
	if debug.verify {
		verifyHeap()
	}
	endCycle(forced)
	if forced {
		sweepAll()
	}
}

// endCycle reports and starts the world.
func endCycle(forced bool) {
	// 5. Go on.
	cycle.end = nanotime()
	watch(WatchCycleEnd, 0, 0)
	recordPause(conc.pauses+cycle.end-cycle.asked, conc.still+cycle.end-cycle.stopped)
	traceCycle(forced)
	tracePacer()
	if calls.checked {
		printCallCounts()
	}
	hooks.world.Start()
	finish()

	reportLimit()

	// 6. With the program running: memory that has not been used for some time
	//    goes back to the system; a forced cycle sweeps before it returns.
	scavengeAfterCycle()
	if FinalizersWaiting() || CleanupsWaiting() {
		hooks.calls.WakeFinalizers()
	}
	hooks.workers.CycleDone()
}

func flushCaches() {
	if boot.cache.inited {
		FlushCache(&boot.cache)
	}
	hooks.workers.ForEachCache(FlushCache)
}

// finishMark accounts for the cycle, sets the next goal and makes all spans unswept.
func finishMark(w *worker, forced bool) {
	turnSpecials()
	atomic.AddUint32(&cycle.number, 1)
	cycle.liveMarked = w.bytes
	now := nanotime()
	total := totalAllocated()
	procs := uint64(procCount())
	cost := gcCPU(now, procs)
	all := uint64(now-cycle.lastEnd) * procs
	cpu := processTime()
	cycle.after = cycle.before + total - cycle.allocatedAtStart
	pages.takenAtLast = pages.taken
	cycle.pacer.EndCycle(pacer.Cycle{
		Live:      w.bytes,
		Stacks:    roots.stackBytes,
		Globals:   roots.globalBytes,
		Overhead:  overheadAhead(),
		Procs:     procs,
		Allocated: total - cycle.usedAtLast,
		GCTime:    cost,
		UserTime:  all - min(cost, all),
		Got:       min(max(uint64(cpu-cycle.lastCPU)*1000/max(all, 1), 1), 1000),
	})
	noteLimit(w.bytes+overheadBytes()+wasteBytes(cycle.after), cost, all)
	turnStackPeaks()
	cycle.usedAtLast = total
	cycle.lastEnd, cycle.lastCPU = now, cpu
	stats.gcTime += cost
	stats.assistNs += uint64(conc.assistNs)
	stats.sliceNs += uint64(conc.sliceNs)
	stats.idleNs += uint64(conc.idleNs)
	if forced {
		stats.numForced++
	}
	atomic.StoreUint64(&cycle.live, w.bytes)
	watchLive()
	cycle.lastGoal, cycle.lastTrigger = cycle.goal, atomic.LoadUint64(&cycle.trigger)
	setTrigger()
	trigger := atomic.LoadUint64(&cycle.trigger)
	sweepStart(uintptr(min(trigger-min(trigger, w.bytes), 1<<46)))
}

// reviewGoal sets the goal by what takes memory now; objects is the heap. At the beginning of a
// cycle, when caches are empty and all is swept, or for a new setting; world stopped.
func reviewGoal(objects uint64) {
	if cycle.pacer.Bound() != noLimit {
		cycle.pacer.SetOverhead(overheadAhead())
		cycle.goal = goalForPages(objects)
	}
}

// gcCPU is the CPU time that the cycle took, in nanoseconds. In pauses all Ps are lost; what Ps
// with nothing else to do have marked is free.
func gcCPU(now int64, procs uint64) uint64 {
	return uint64(now-cycle.stopped+conc.still)*procs + uint64(conc.assistNs+conc.sliceNs)
}

// setTrigger takes over the pacer's goal. A concurrent cycle starts before it; if the world
// stands still while marking, the trigger is the goal.
func setTrigger() {
	cycle.goal = cycle.pacer.Goal()
	trigger := cycle.goal
	if concurrent() {
		trigger = cycle.pacer.Trigger()
	}
	atomic.StoreUint64(&cycle.trigger, trigger)
	publishLimit()
	watch(WatchGoal, goalInForce(), 0)
}

func procCount() int { return hooks.workers.Max() }

// The settings. Goroutine stack.

// SetGCPercent is debug.SetGCPercent without the collection that follows it: it
// returns the old value. When collections have been switched off, none is under way.
func SetGCPercent(percent int32) (old int32) {
	setPacer(func() { old = cycle.pacer.SetPercent(percent) })
	if percent < 0 {
		claimCycle()
		for n := GCCount(); atomic.LoadUint32(&cycle.running) != 0 && GCCount() == n; {
			help()
		}
		unclaimCycle()
	}
	return old
}

// SetMemoryLimit is debug.SetMemoryLimit: negative only reports.
func SetMemoryLimit(limit int64) (old int64) {
	if limit < 0 {
		acquireM() // it changes with the world stopped
		old = cycle.pacer.SetLimit(limit)
		releaseM()
		return old
	}
	setPacer(func() {
		atomic.StoreUint32(&container.follows, 0)
		old = cycle.pacer.SetLimit(limit)
	})
	return old
}

// SetBudget is LOAMGC=cpu=...,mem=...: the share of CPU time in thousandths that the
// collector may take, and the memory it may use to keep to it (pacer.NoLimit for any).
func SetBudget(share, memory uint64) {
	setPacer(func() { setBudget(share, memory) })
}

// setBudget is SetBudget at the start, or with the world stopped.
func setBudget(share, memory uint64) {
	cycle.pacer.SetBudget(share, memory)
	budgeted := uint32(0)
	if share > 0 {
		budgeted = 1
	}
	atomic.StoreUint32(&cycle.budgeted, budgeted)
}

// setPacer changes a setting. A cycle may be under way: the pacer is its as long as the
// world is stopped.
func setPacer(change func()) {
	whileStopped(StopForSettings, func() {
		initPacer()
		change()
		live, _ := liveBytes()
		reviewGoal(live)
		setTrigger()
	})
}

// whileStopped runs f with the world stopped, on the system stack; reason is for traces. Goroutine
// stack, no locks.
func whileStopped(reason uint64, f func()) {
	claimWorld()
	onSystem(func() {
		watch(WatchStopping, reason, 0)
		hooks.world.Stop()
		f()
		hooks.world.Start()
	})
}
