package heap

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/pacer"
)

// The collection cycle. runCycle lists the phases in order; each has its own file:
// roots.go, drain.go, specials.go, sweep.go, scavenge.go.

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

// Late reports whether there was no collection for so long that one should begin although the heap
// has not grown to its goal. The first is not waited for, and with GOGC=off there is none, as in
// gc. Any thread.
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

// runCycle is one collection. The caller has called begin and is on the system stack;
// its goroutine's registers are saved (OnSystemStack did). forced: by runtime.GC and
// such, not by the trigger.
func runCycle(forced bool) {
	// 1. What the last cycle left unswept: its marks are still the truth about
	//    what is free.
	cycle.start = nanotime()
	sweepAll()

	// 2. Stop. From here on no thread allocates. All caches are emptied.
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
	catchUpAll()
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

// debugCollect collects if gcevery says so. With gcevery runs are one slot long, so
// that every allocation of 16 bytes or more comes here.
func debugCollect() {
	debugCount++
	if debugCount%debug.every == 0 && canCollect() {
		collectNow(true, 0)
	}
}

// FreeOSMemory collects and returns as much memory to the system as possible.
// Goroutine stack.
func FreeOSMemory() {
	Collect(true)
	from := nanotime()
	onSystem(hooks.stacks.Scavenge)
	for all := false; !all; {
		onSystem(func() { all = scavenge(0, 16*scavengeStep) })
		if !all {
			yield()
		}
	}
	atomic.AddUint64(&stats.freeNs, uint64(nanotime()-from))
}
