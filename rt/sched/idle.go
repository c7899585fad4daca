package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// goIdle gives up the P because no work was found, checks once more, and sleeps until there
// may be some. Returns with a P held, and a goroutine or nil (search again).
//
// Lost wake-ups: a thread that queues work first publishes it and then looks for idle Ps, and for
// threads that search (toBeWoken); here the P becomes idle first, then the thread no longer counts
// as searching, and then, unless others search, who will do the same, all queues are looked at
// again. So one of them sees the other, unless the store that publishes, which is no more than a
// release, is still on its way when its processor looks: a fence there would make each wake-up a
// tenth slower. Instead the last thread that gives up, before it sleeps or waits in the poller
// while others run, has the kernel let those pass a fence, and then looks again (rt/schedtest,
// TestIdleSchedules). A stand-by looks after each nap. Where the kernel does not have the call, the
// monitor finds such work (lateHandoffs).
func goIdle(m *M) *G {
	timerRest(m.P.ID)
	global.lock.Lock()
	if atomic.LoadUint32(&global.stopping) != 0 || hasWork(m.P) {
		global.lock.Unlock()
		return nil // marking has made goroutines ready that wait for it
	}
	if global.nRunq != 0 {
		g := takeShare(m.P)
		global.lock.Unlock()
		return g
	}
	p := dropP(m)
	endOuting(p)
	putIdleP(p)
	global.lock.Unlock()
	restWithoutP(m)
	return nil
}

// restWithoutP is what follows: m has no P any more. It returns with one.
func restWithoutP(m *M) {
	left := atomic.LoadUint32(&counts.nSearching)
	if m.searching {
		m.searching = false
		left = atomic.AddUint32(&counts.nSearching, ^uint32(0))
	}
	if left == 0 && lastLook(m) {
		return
	}
	if atomic.LoadUint32(&global.stopping) != 0 {
		idleUntilP(m) // the thread that starts the world wakes one that searches
		return
	}

	got, poll := standBy(m)
	if got || poll && someRun() && sys.Membarrier() && lastLook(m) {
		return
	}
	// One idle thread waits in the poller, until the next timer.
	until := timerNextAll()
	if poll && mayWait(until) && atomic.SwapInt64(&global.polledAt, 0) != 0 {
		pollIdle(m, until)
		if m.P != nil {
			return
		}
	}
	idleUntilP(m)
}

// someRun reports whether a thread has a P.
func someRun() bool {
	return sys.Parallel && atomic.LoadUint32(&counts.nIdleP) != uint32(nProcs)
}

// lastLook is the look at everything that the thread which has given up its P takes if nobody
// searches. It says whether there was something, and m has a P for it again. Timers that are due it
// runs, whosever they are.
func lastLook(m *M) bool {
	queued := workQueued()
	now := int64(0)
	if !queued {
		next := timerNextAll()
		if next == never {
			return false
		}
		if now = sys.Clock(); next > now {
			return false
		}
	}
	if !regainP(m) {
		return false
	}
	if queued {
		m.searching = true
		atomic.AddUint32(&counts.nSearching, 1)
	} else {
		runAllTimers(now)
	}
	return true
}

// pollIdle waits in the poller without a P. If it returns with a P, there is
// something to do.
func pollIdle(m *M, until int64) {
	atomic.StoreInt64(&global.pollEnds, until)
	// A timer added between timerNextAll and the store saw no poller to interrupt.
	if n := timerNextAll(); n < until {
		until = n
		atomic.StoreInt64(&global.pollEnds, until)
	}
	delay := int64(-1)
	if sys.FakeTime && until != never {
		delay = 0
	} else if until != never {
		when, later := gatherTimers(until, global.timersAt)
		if later {
			atomic.StoreInt64(&global.pollEnds, 1) // no new timer changes that
		}
		delay = max(when-sys.Nanotime(), 0)
	}
	m.polling = true
	list := netPoll(delay)
	m.polling = false
	now := sys.Nanotime()
	clock := timerClock(now)
	due := until != never && clock >= until
	if due {
		global.timersAt = now
	}
	atomic.StoreInt64(&global.pollEnds, 0)
	atomic.StoreInt64(&global.polledAt, now)
	if !regainP(m) {
		injectList(list)
		return
	}
	p := m.P
	atomic.StoreInt64(&p.search.lookedAt, now)
	if due || list != nil {
		beginOuting(p)
	}
	if list != nil && list.QueueNext == nil && atomic.LoadUint32(&global.standBy) != 0 {
		makeRunnable(list)
		enqueue(p, list, false)
	} else {
		injectList(list)
	}
	if due {
		runAllTimers(clock)
	}
}

// runAllTimers runs what is due at now in the heaps of all Ps. With a P.
//
// The owner of another P may add a timer meanwhile, and leave a timers.next alone that is about to
// be overwritten. So the heap is looked at again after the store: either that sees the timer, or
// the owner sees what was stored.
func runAllTimers(now int64) {
	for h := timerFilled(0); h >= 0; h = timerFilled(h + 1) {
		next := timerRun(h, now)
		for i := h; i < nProcs; i += timerHeaps {
			if v := atomic.LoadInt64(&allP[i].timers.next); v == next || v == 0 && next == never {
				continue // nothing was due
			}
			setTimerNext(allP[i], next)
			if again := timerRun(h, 1); again < next {
				setTimerNext(allP[i], again)
			}
		}
	}
}

// regainP takes an idle P for a thread that has none.
func regainP(m *M) bool {
	global.lock.Lock()
	p := takeIdleP()
	global.lock.Unlock()
	if p == nil {
		return false
	}
	setP(m, p)
	return true
}

// workQueued looks at all queues without a P.
func workQueued() bool {
	if atomic.LoadInt32(&global.nRunq) != 0 {
		return true
	}
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if p.queue.ring.Len() != 0 {
			return true
		}
		// A next goroutine on a P that runs will be run there, if experience says so.
		if atomic.LoadPointer(&p.queue.front) != nil &&
			(atomic.LoadUint32(&p.Status) != pRunning || atomic.LoadUint32(&p.queue.handoff) < handoffSure) {
			return true
		}
	}
	return false
}

// idleUntilP puts the thread on the idle list and sleeps until somebody hands it a P.
func idleUntilP(m *M) {
	if m.P != nil || m.searching {
		sys.Throw("idleUntilP: thread has a P or spins")
	}
	for {
		global.lock.Lock()
		putIdleM(m)
		if sleepForP(m) || regainP(m) {
			return
		}
	}
}

// sleepForP ends with a P that another thread has chosen for m; false if the world was stopped
// before m woke: takeGiven. The caller holds global.lock, under which it has counted m among those
// that run nothing; sleepForP gives the lock up.
func sleepForP(m *M) (got bool) {
	dead := nobodyLeft()
	global.lock.Unlock()
	if dead {
		ReportDeadlock()
	}
	m.note.Sleep()
	return takeGiven(m)
}

// takeGiven makes the P that another thread has chosen for m, and woken or made it for, m's. If who
// stops the world was faster (reclaimP), m is on no list; nobody else has been woken in its place,
// so its caller takes another P, if there is one, and looks around as it would have.
func takeGiven(m *M) (got bool) {
	m.note.Clear()
	p := (*P)(atomic.SwapPointer(&m.given, nil))
	if p == nil {
		if m.searching {
			m.searching = false
			atomic.AddUint32(&counts.nSearching, ^uint32(0))
		}
		return false
	}
	if p.hold.givenTo != unsafe.Pointer(m) {
		sys.Throw("a P was given that reclaimP could not have found")
	}
	p.hold.givenTo = nil
	setP(m, p)
	return true
}

// reclaimP takes a P back that was handed to a thread which has not begun with it yet, and says
// whether it could. A new thread, or a CPU that sleeps, needs 50 µs to a millisecond for that on a
// virtual machine, which who stops the world does not wait for. global.lock held.
func reclaimP(p *P) bool {
	m := (*M)(atomic.LoadPointer(&p.hold.givenTo))
	if m == nil || !atomic.CompareAndSwapPointer(&m.given, unsafe.Pointer(p), nil) {
		return false
	}
	p.hold.givenTo = nil
	if g := m.boundG; g != nil { // runOnLockedM has chosen m for g
		global.nLocked++
		putGlobal(g)
	}
	return true
}

// toBeWoken reports whether a thread should be woken for work that was just published: there is a P
// for it, and nobody searches.
//
//loam:inline
func toBeWoken() bool {
	return atomic.LoadUint32(&counts.nIdleP) != 0 && atomic.LoadUint32(&counts.nSearching) == 0
}

// wakeThread starts a thread that searches for work, if there is an idle P and no thread is
// searching already.
func wakeThread() {
	if !toBeWoken() || !atomic.CompareAndSwapUint32(&counts.nSearching, 0, 1) {
		return
	}
	global.lock.Lock()
	p := takeIdleP()
	if p == nil {
		global.lock.Unlock()
		atomic.AddUint32(&counts.nSearching, ^uint32(0))
		return
	}
	m := takeIdleM()
	global.lock.Unlock()
	handTo(m, p, true)
}

// WakeIdle is wakeThread for others: goroutine stack or the system's, no locks held.
func WakeIdle() {
	sys.AcquireM()
	wakeThread()
	sys.ReleaseM()
}

// putIdleM, takeIdleM and unlistIdleM, which reports whether m was on the list: global.lock held.
func putIdleM(m *M) {
	m.link = global.idleThreads
	global.idleThreads = m
	global.nIdleThreads++
}

func unlistIdleM(m *M) bool {
	for at := &global.idleThreads; *at != nil; at = &(*at).link {
		if *at == m {
			*at = m.link
			m.link = nil
			global.nIdleThreads--
			return true
		}
	}
	return false
}

func takeIdleM() *M {
	m := global.idleThreads
	if m != nil {
		global.idleThreads = m.link
		m.link = nil
		global.nIdleThreads--
	}
	return m
}

// handTo makes thread m (nil: a new one) run p.
func handTo(m *M, p *P, searching bool) {
	if m == nil {
		startThread(p, searching)
		return
	}
	if m.searching || m.given != nil {
		sys.Throw("idle thread is not idle")
	}
	m.give(p, searching)
	m.note.Wake()
}

// give makes p the P that m begins with once it wakes, or is made; until then reclaimP may take it
// back.
func (m *M) give(p *P, searching bool) {
	m.searching = searching
	atomic.StorePointer(&p.hold.givenTo, unsafe.Pointer(m))
	atomic.StorePointer(&m.given, unsafe.Pointer(p))
}

// passOn finds a thread for a P whose thread has gone (system call, locked goroutine). The
// P is idle and on no list; nothing comes into its queue until somebody has it.
func passOn(p *P) {
	global.lock.Lock()
	if global.stopping != 0 {
		stoppedOne(p)
		global.lock.Unlock()
		return
	}
	// The last P also looks after the network and the timers: a thread that finds nothing to run
	// will wait for them.
	last := counts.nIdleP == uint32(nProcs)-1 && atomic.LoadInt64(&global.polledAt) != 0 && (netWaiters() > 0 || timerNextAll() != never)
	run := last || hasWork(p) || global.nRunq != 0
	// With nobody idle, one should search.
	search := !run && counts.nIdleP == 0 && atomic.CompareAndSwapUint32(&counts.nSearching, 0, 1)
	if !run && !search {
		putIdleP(p)
	}
	global.lock.Unlock()
	if run || search {
		startP(p, search)
	} else if t := atomic.LoadInt64(&p.timers.next); t != 0 {
		WakeForTimer(t)
	}
}

// startP gives p to an idle thread or a new one.
func startP(p *P, searching bool) {
	global.lock.Lock()
	m := takeIdleM()
	global.lock.Unlock()
	handTo(m, p, searching)
}

// WakeForTimer is called by rt/timer when a heap got an earlier first time: the P that
// runs remembers it, and a thread that sleeps past it is woken. With a P or
// without, no locks held but a ProcMutex.
func WakeForTimer(when int64) {
	if when == never || when == 0 {
		return
	}
	t := sys.AcquireM()
	if p := (*P)(t.P); p != nil {
		if old := p.timers.next; old == 0 || when < old {
			setTimerNext(p, when)
		}
	}
	if atomic.LoadInt64(&global.polledAt) == 0 {
		// Somebody waits in the poller, or is about to.
		if u := atomic.LoadInt64(&global.pollEnds); u == 0 || when < u {
			netBreak()
		}
	} else if p := (*P)(t.P); (p == nil || atomic.LoadUint32(&p.outing.putOff) == 0) &&
		atomic.LoadUint32(&counts.nIdleP) != 0 && (atomic.LoadUint32(&global.standBy) == 0 || when < atomic.LoadInt64(&global.napEnds)) {
		wakeThread()
	}
	sys.ReleaseM()
}

var _ unsafe.Pointer
