package heap

import (
	"sync/atomic"

	"loam/rt/pacer"
)

// Concurrent marking. A cycle has two short stops of the world, with the program running in
// between:
//
//	start      marking is set: from now on new objects are black (marked) and stores go through
//	           the barrier
//	mark       globals, specials and stacks are scanned, each parked or runnable goroutine
//	           while it is kept from running; objects are traced. All this is done in
//	           slices: by Ps for their share of the CPU, by idle Ps, and by
//	           goroutines that allocate faster than the marking goes on (assists)
//	terminate  when there is nothing grey left: the goroutines that run are asked for their
//	           stacks and for what their Ps' barriers have made grey, and go on; the stacks of
//	           goroutines that ran since they were scanned are scanned again, first those that do
//	           not run just then, with the world running, and those that ran meanwhile, as long
//	           as these get fewer; in the pause only the others. If the pause finds more than a
//	           little to scan or to mark, the world goes on and so does marking
//
// The termination and the barrier are model-checked (model_test.go). Why it is right is in
// docs/gc-invariants.md.

const (
	// assistBytes is the debt at which a goroutine pays: less would not be worth the trip.
	assistBytes = 64 << 10
	// pauseStacks, pauseObjects, pauseBytes and pauseNs bound what the termination scans with the
	// world stopped.
	pauseStacks  = 250
	pauseObjects = 500
	pauseBytes   = 64 << 10
	pauseNs      = 50 * 1000 // objects may have many pointers, each of which is a cache miss
	// fewStacks is how many bytes of stacks may be scanned more than once, and counted so.
	fewStacks = 256 << 10
	// AllStacks is a number of stacks that includes all of them.
	AllStacks = 1 << 62
	// maxPasses over the dirty stacks precede it, as long as each finds fewer than the one before.
	maxPasses = 10
	// maxWaits bounds how often an allocation above the goal lets others mark. The first maxYields
	// times it offers its CPU, then it sleeps waitUs microseconds each.
	maxWaits  = 500
	maxYields = 50
	waitUs    = 100
	// maxAsks bounds how often a cycle asks the goroutines that run, each time because the last
	// one's answers led to more than endBytes of objects.
	maxAsks  = 4
	endBytes = 64 << 10
	// maxRetries terminations may find more than that; the next one finishes in its pause.
	maxRetries = 6
)

// startMark begins a concurrent cycle. The caller has called begin and claimed the world; system
// stack, with a P.
func startMark(forced bool) {
	cycle.start = nanotime()
	sweepAll()
	prepareMark()
	lookAtStacks()
	watch(WatchStopping, StopForMark, 0)
	stopForCycle()
	watch(WatchCycleBegin, 0, 0)
	sweepLists()
	flushBoot()
	dropCaches()
	cycle.begun++
	cycle.before, cycle.allocatedAtStart = liveBytes()
	reviewGoal(cycle.before)
	mark.extra, mark.gone, mark.parallel = 0, worker{}, true
	startRoots()
	addGlobals()
	hooks.stacks.Reset()
	conc.forced, conc.retries, conc.asked = forced, 0, 0
	conc.hungry, conc.active = 0, 0
	startSpecials()
	conc.scanned, conc.credit, conc.again, conc.stacksMost = 0, 0, 0, noLimit
	conc.assistNs, conc.sliceNs, conc.idleNs = 0, 0, 0
	conc.expect = pacer.Expected(cycle.before, conc.lastWork, conc.lastStacks)
	updateRatio()
	atomic.StoreUint32(&marking, 1)
	atomic.AddUint32(&cycle.phase, 1)
	if c := ownCache(); c != nil { // of the P that goes on
		c.CatchUp()
	}
	conc.began = nanotime()
	conc.pauses, conc.still = conc.began-cycle.asked, conc.began-cycle.stopped
	hooks.world.Start()
	hooks.workers.WakeMarkers()
}

// prepareMark gets the memory that the first pause would otherwise ask the system for: a process's
// first cycle spent 30 µs on page faults in it.
func prepareMark() {
	if roots.cap == 0 {
		growRoots()
		*rootAt(0) = rootRange{}
	}
	for need := 2 * uintptr(procCount()) * bufBytes; atomic.LoadUintptr(&bufs.total) < need; {
		reserveBufs()
	}
}

// MarkStart is when the marking that goes on began, in nanoseconds.
func MarkStart() int64 { return conc.began }

// MarkBehind reports whether there may be something to mark that nobody has in hand. Any stack.
func MarkBehind() bool {
	return !bufs.full.empty() || atomic.LoadInt32(&conc.active) == 0
}

// Mark does marking with the calling thread's P until there is nothing to do that it could take,
// budget bytes are scanned, the time is nanotime() >= until (0: no matter), or ShouldYield says so.
// It may end the cycle. System stack, no locks. It returns what it scanned in bytes and whether it
// ran out of work.
func Mark(kind MarkKind, budget uint64, until int64) (done uint64, dry bool) {
	c := ownCache()
	if c == nil || !Marking() {
		return 0, true
	}
	if kind == MarkAssist {
		watch(WatchAssistBegin, 0, 0)
	}
	from := markTime()
	w := &c.marker
	w.ready()
	before, stacks := w.scanned, w.stacks
	atomic.AddInt32(&conc.active, 1)
	dry = w.some(before+budget, until)
	w.offer()
	done = w.scanned - before + w.stacks - stacks
	atomic.AddUint64(&conc.scanned, done)
	atomic.AddInt32(&conc.active, -1)
	spent := markTime() - from
	switch kind {
	case MarkAssist:
		c.assists++
	case MarkSlice, MarkIdle:
		atomic.AddInt64(&conc.credit, int64(done))
	}
	c.spent[kind] += spent
	updateRatio()
	if kind == MarkAssist {
		watch(WatchAssistEnd, 0, 0)
	}
	if dry {
		dry = !tryTerminate(c)
	}
	return done, dry
}

// markTime is the clock by which marking costs. Where the collector has a budget of CPU time, that
// is what counts: the thread may have lost its CPU to another process, or to a quota, in the middle
// of a slice, which is no reason to let the heap grow. Otherwise time will do.
func markTime() int64 {
	if atomic.LoadUint32(&cycle.budgeted) != 0 {
		return threadTime()
	}
	return nanotime()
}

// some marks until nothing is left that this worker could take (true) or it must stop: it has
// scanned limit bytes, those of stacks now included.
func (w *worker) some(limit uint64, until int64) bool {
	for {
		if !w.drainSome(limit, until) {
			return false
		}
		if w.takeFull() {
			continue
		}
		stacks := w.stacks
		if !w.rootJob() {
			atomic.StoreUint32(&conc.hungry, 1)
			return true
		}
		if stacks = w.stacks - stacks; stacks != 0 {
			if w.scanned+stacks >= limit || until != 0 && nanotime() >= until {
				return false
			}
			limit -= stacks
		}
	}
}

// drainSome scans what the worker has; false: it had to stop before the end.
func (w *worker) drainSome(limit uint64, until int64) bool {
	var queue [ahead]uintptr
	next, waiting := 0, 0
	for n := 1; ; n++ {
		e := w.pop()
		if e != 0 {
			prefetch(e & (1<<entryShift - 1))
			waiting++
		} else if waiting == 0 {
			return true
		}
		e, queue[next] = queue[next], e
		next = (next + 1) % ahead
		if e == 0 {
			continue
		}
		waiting--
		w.scanEntry(e)
		if n&31 != 0 && w.scanned < limit {
			continue
		}
		if w.scanned >= limit || hooks.world.ShouldYield() || until != 0 && n&127 == 0 && nanotime() >= until {
			for _, e := range queue {
				if e != 0 {
					w.push(e)
				}
			}
			return false
		}
		if atomic.LoadUint32(&conc.hungry) != 0 && bufs.full.empty() {
			atomic.StoreUint32(&conc.hungry, 0)
			w.share()
			hooks.workers.WakeMarkers()
		}
	}
}

// rootJob scans one piece of the roots; false if none is left to take.
func (w *worker) rootJob() bool {
	if w.scanRoot() {
		return true
	}
	if atomic.LoadUint32(&conc.special) == specialsLeft && atomic.CompareAndSwapUint32(&conc.special, specialsLeft, specialsTaken) {
		state := uint32(specialsLeft)
		if rootSpecials(w) {
			state = specialsDone
		}
		atomic.StoreUint32(&conc.special, state)
		return true
	}
	return hooks.stacks.Scan(func(lo, hi uintptr) {
		w.stacks += uint64(hi - lo)
		w.scanStack(lo, hi)
	})
}

// offer gives the worker's entries to other workers.
func (w *worker) offer() {
	if w.buf.n != 0 {
		bufs.full.push(w.buf)
		w.buf = newBuf()
	}
	if w.second.n != 0 {
		bufs.full.push(w.second)
		w.second = newBuf()
	}
}

// Assists.

// inDebt books an allocation of so many bytes by c's P and says whether it is time to pay.
// Pinned.
func inDebt(c *Cache, bytes uintptr) bool {
	if atomic.LoadUint32(&marking) == 0 {
		return false
	}
	c.debt += int64(uint64(bytes) * atomic.LoadUint64(&conc.ratio) >> 8)
	return c.debt > assistBytes
}

// payForAllocation starts a cycle that is due, or does the marking owed. Goroutine stack, no
// locks.
func payForAllocation() {
	if collectionDue(0) {
		collectNow(false, 0)
	} else if Marking() {
		payDebt()
	}
}

// payDebt does the marking owed. Where that is not to be had because other threads have all of it
// in hand (and may wait for a CPU), allocation waits once the heap is well above its goal, but not
// for ever: maxWaits rounds. Goroutine stack, no locks.
func payDebt() {
	onSystem(assist)
	for n := 0; n < maxWaits && Marking() && farAboveGoal(); n++ {
		dry := false
		onSystem(func() { _, dry = Mark(MarkAssist, assistBytes, 0) })
		if dry {
			letMark(n)
		}
	}
}

// letMark lets other threads mark, which have all of it in hand: the n-th time in a row. They may
// have to wait for a CPU that others have, so that it does not help to offer them this one.
func letMark(n int) {
	yield()
	if n < maxYields {
		yieldThread()
	} else {
		sleepThread(waitUs)
	}
}

func farAboveGoal() bool {
	goal := atomic.LoadUint64(&cycle.goal)
	above := goal / 16
	if limit := memoryLimit(); limit != noLimit {
		above = min(above, limit/64) // half of what the pacer keeps free
	}
	return atomic.LoadUint64(&cycle.live) > goal+above
}

// assistLarge pays for a large object. A goroutine that makes large objects without touching them
// is faster than any marking, and owes nothing once all is marked: far above the goal it waits.
func assistLarge(bytes uintptr) {
	due := farAboveGoal()
	acquireM()
	if c := currentCache(); c != nil {
		due = inDebt(c, bytes) || due
	}
	releaseM()
	if due {
		payDebt()
	}
}

func assist() {
	c := ownCache()
	if c == nil || c.debt <= 0 {
		return
	}
	// What slices have done counts.
	for {
		have := atomic.LoadInt64(&conc.credit)
		take := min(have, c.debt)
		if take <= 0 {
			break
		}
		if atomic.CompareAndSwapInt64(&conc.credit, have, have-take) {
			c.debt -= take
			break
		}
	}
	if c.debt <= 0 {
		return
	}
	done, dry := Mark(MarkAssist, uint64(c.debt), 0)
	// The P is still ours, but the cycle may be over, and its debts with it.
	if dry {
		c.debt = 0
	} else {
		c.debt -= int64(done)
	}
}

// updateRatio sets how much marking each allocated byte owes, so that the marking is done when the
// heap reaches its goal.
func updateRatio() {
	expect := atomic.LoadUint64(&conc.expect)
	more, ratio := pacer.Debt(atomic.LoadUint64(&conc.scanned), expect, atomic.LoadUint64(&cycle.live), atomic.LoadUint64(&cycle.goal))
	if more != expect {
		atomic.StoreUint64(&conc.expect, more)
	}
	// All who allocate read it: a little more or less is not worth that they do so again.
	if old := atomic.LoadUint64(&conc.ratio); ratio > old+old/ratioStep || ratio < old-old/ratioStep {
		atomic.StoreUint64(&conc.ratio, ratio)
	}
}

// ratioStep is the part by which the debt for an allocation changes at least.
const ratioStep = 32

// help takes part in the marking that goes on, for a goroutine that waits for the end of
// the cycle. Goroutine stack, no locks.
func help() {
	dry := true
	if Marking() && canCollect() {
		onSystem(func() { _, dry = Mark(MarkAssist, 1<<20, 0) })
	}
	if dry {
		yield()
	}
}

// The end.

// tryTerminate ends the cycle if nothing is left to mark. If it has found more, it says so: its
// caller would go to sleep else. System stack, with the P of c.
func tryTerminate(c *Cache) (more bool) {
	if !markDone() {
		return false
	}
	// One thread at a time, until what it holds is released: another one would release it before
	// the world has stopped.
	if !atomic.CompareAndSwapUint32(&conc.ending, 0, 1) {
		return false
	}
	// Stacks of goroutines that ran and do not run now.
	if atomic.CompareAndSwapInt32(&conc.active, 0, 1) {
		more = terminateUnlessMore(c)
		hooks.stacks.ReleaseHeld()
	}
	atomic.StoreUint32(&conc.ending, 0)
	return more
}

// terminateUnlessMore is tryTerminate with conc.active 1, of which it makes 0.
func terminateUnlessMore(c *Cache) (more bool) {
	w := &c.marker
	before := w.scanned
	visit := func(lo, hi uintptr) { w.scanAgain(lo, hi) }
	if conc.asked < maxAsks+conc.retries {
		conc.asked++
		hooks.stacks.AskRunning(visit)
	}
	for pass, last := 0, 1<<62; pass < maxPasses; pass++ {
		n := hooks.stacks.ScanDirty(visit)
		if n < pauseStacks/4 || n > last-last/4 || hooks.world.ShouldYield() {
			break
		}
		last = n
	}
	dry := w.some(before+endBytes, 0)
	w.offer()
	if dry {
		conc.asked = maxAsks
	}
	atomic.AddUint64(&conc.scanned, w.scanned-before)
	atomic.AddInt32(&conc.active, -1)
	if !dry {
		hooks.workers.WakeMarkers()
		return true
	}
	if !markDone() || !hooks.world.TryClaim() {
		return false
	}
	if !markDone() || !Marking() {
		hooks.world.Unclaim()
		return false
	}
	lookAtStacks()
	if atomic.LoadUint64(&conc.again) > fewStacks {
		conc.stacksMost = hooks.stacks.Bytes(true)
	}
	watch(WatchStopping, StopForEnd, 0)
	stopForCycle()
	terminate()
	return false
}

// Answer gives the markers what scan visits, the stack of a goroutine that was just interrupted,
// and all that the calling thread's P holds. System stack, with a P, no locks.
func Answer(scan func(visit func(lo, hi uintptr))) {
	c := ownCache()
	if c == nil || !Marking() {
		return
	}
	w := &c.marker
	w.ready()
	scan(func(lo, hi uintptr) { w.scanAgain(lo, hi) })
	w.offer()
}

// scanAgain scans a piece of a stack that may have been scanned before.
func (w *worker) scanAgain(lo, hi uintptr) {
	w.stacks += uint64(hi - lo)
	atomic.AddUint64(&conc.again, uint64(hi-lo))
	w.scanStack(lo, hi)
}

// markDone reports whether no work is in sight.
func markDone() bool {
	return atomic.LoadInt32(&conc.active) == 0 && bufs.full.empty() && rootsDone() &&
		atomic.LoadUint32(&conc.special) == specialsDone && hooks.stacks.Done()
}

// terminate is the second pause. It starts the world again, with the cycle at its end or, if there
// is more to mark than fits into the pause, not. System stack, world stopped.
func terminate() {
	if conc.active != 0 {
		throw("heap: marking while the world is stopped")
	}
	hooks.workers.ForEachCache(offerMarker)
	lead := &mark.workers[0]
	lead.start()
	most := pauseStacks
	if conc.retries == maxRetries {
		most = AllStacks
	}
	all := hooks.stacks.ForEachDirty(most, func(lo, hi uintptr) {
		lead.stacks += uint64(hi - lo)
		lead.scanStack(lo, hi)
	})
	if !all || !lead.drainFew() {
		if conc.retries++; conc.retries <= maxRetries {
			lead.publish()
			stats.retries++
			now := nanotime()
			conc.pauses += now - cycle.asked
			conc.still += now - cycle.stopped
			hooks.world.Start()
			return
		}
		markAll()
	}

	if calls.checked {
		checkCalls()
	}
	publishProfile()
	if debug.verify {
		verifyMarks()
	}
	cycle.marked = nanotime()
	atomic.StoreUint32(&marking, 0)
	mark.parallel = false
	flushBoot()
	lead.finish()
	gatherCounts(lead)
	atomic.AddUint32(&cycle.phase, 1)
	forced := conc.forced
	finishMark(lead, forced)
	if debug.verify {
		verifyHeap()
	}
	endCycle(forced)
}

func offerMarker(c *Cache) {
	if !c.Behind() && c.marker.buf != nil { // else it has marked nothing
		c.marker.offer()
	}
}

// gatherCounts adds what all workers counted to w.
func gatherCounts(w *worker) {
	counted = w
	hooks.workers.ForEachCache(addCounts)
	w.bytes += mark.extra
	w.objects += mark.gone.objects
	w.scanned += mark.gone.scanned
	w.stacks += mark.gone.stacks
	conc.lastWork = w.scanned
	// A deep stack that was scanned twice is no larger for that: the next goal counts it once.
	roots.stackBytes = min(w.stacks, conc.stacksMost)
	conc.lastStacks = roots.stackBytes
}

// counted is who addCounts adds to, while the world is stopped.
var counted *worker

func addCounts(c *Cache) {
	if c.Behind() {
		return
	}
	w := counted
	w.bytes += c.marker.bytes
	w.objects += c.marker.objects
	w.scanned += c.marker.scanned
	w.stacks += c.marker.stacks
	c.countTimes()
}

// countTimes counts for the cycle how long the P has marked. World stopped.
func (c *Cache) countTimes() {
	conc.assistNs += c.spent[MarkAssist]
	conc.sliceNs += c.spent[MarkSlice]
	conc.idleNs += c.spent[MarkIdle]
	stats.assists += c.assists
}

// drainFew is drain within the bounds of a pause, with what other workers left; false: that was
// not all. World stopped.
func (w *worker) drainFew() bool {
	limit := w.scanned + pauseBytes
	for n := pauseObjects; ; n-- {
		if n%16 == 0 && nanotime()-cycle.stopped > pauseNs {
			n = 0
		}
		e := w.pop()
		if e == 0 {
			if !w.takeFull() {
				return true
			}
			continue
		}
		if n <= 0 || w.scanned > limit {
			w.push(e)
			return false
		}
		w.scanEntry(e)
	}
}
