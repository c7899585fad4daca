package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// The stand-by. A thread that waits in the poller is woken by each event, even though a P that runs
// would have found it a few microseconds later by itself; waking it takes longer than most of what
// goroutines do between two events. So while the Ps that run look at the network often, no thread
// waits there: one that finds nothing to do takes naps instead, and bounds by two naps, of 0.1 to
// 0.4 ms, what the others may get wrong:
//
//   - A P that runs one goroutine for longer does not look at the network. Then the stand-by waits
//     in the poller.
//   - A P that guesses (leaves out wake-ups, see readyOn) may guess wrong. Then the stand-by takes
//     a P and searches.
//   - Timers may come due that nobody looks at. Then the stand-by runs them.
//
// There is at most one. It is on the list of idle threads while it sleeps, and gets a P as any of
// them. When everybody is idle, somebody waits in the poller and the stand-by goes to sleep for
// good.
const (
	napNs    = 100 * 1000 // the first nap; each is twice as long as the last
	napMaxNs = 400 * 1000
	oftenNs  = 100 * 1000 // a thread that looked around so short a time ago looks often
)

// spinNs is how long a thread that searches goes on while other Ps run: about what it would cost
// the one that has work for it next to wake it.
const spinNs = 10 * 1000

// standBy sleeps until there is something to do, and returns with a P (got), or until its services
// are not needed. poll: the caller has to see to it that somebody waits in the poller; otherwise
// another thread stands by. m has no P and does not search. System stack.
func standBy(m *M) (got, poll bool) {
	if !standByNeeded() {
		return false, true
	}
	if !atomic.CompareAndSwapUint32(&global.standBy, 0, 1) {
		return false, false
	}
	for ns := int64(napNs); !got && !poll; ns = min(2*ns, napMaxNs) {
		got, poll = nap(m, ns)
	}
	atomic.StoreUint32(&global.standBy, 0)
	return got, poll
}

// nap is one nap of the stand-by, of at most length ns; got and poll end its service.
func nap(m *M, length int64) (got, poll bool) {
	// WakeForTimer: a thread that adds a timer publishes it and then reads napEnds.
	now := sys.Nanotime()
	atomic.StoreInt64(&global.napEnds, now+length)
	if ns := min(length, timerNextAll()-now); ns > 0 && napForP(m, ns) {
		return true, false
	}
	now = sys.Nanotime()
	due := timerNextAll() <= now
	if (due || lateWork()) && regainP(m) {
		if due {
			runAllTimers(now)
		}
		return true, false
	}
	return false, !standByNeeded()
}

// standByNeeded: Ps are idle, and one that runs looks at the network often, so that nobody need
// wait in the poller; or one guesses, and nobody else is needed in the poller.
func standByNeeded() bool {
	if sys.FakeTime {
		return false // its naps would be no sleep in which the clock goes on
	}
	if idle := atomic.LoadUint32(&counts.nIdleP); idle == 0 || idle == uint32(nProcs) || atomic.LoadUint32(&global.stopping) != 0 {
		return false
	}
	looks, guesses, now := false, false, sys.Nanotime()
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil && !(looks && guesses); p = nextBusy(&walk) {
		if s := atomic.LoadUint32(&p.Status); s == pRunning || s == pSyscall {
			guesses = guesses || atomic.LoadUint32(&p.queue.handoff) >= handoffSure
			looks = looks || now-atomic.LoadInt64(&p.search.lookedAt) < oftenNs
		}
	}
	if atomic.LoadInt64(&global.polledAt) == 0 || netWaiters() == 0 && timerNextAll() == never {
		return guesses
	}
	if guesses && !looks {
		wakeThread() // to be the stand-by: this one goes to the poller
	}
	return looks
}

// lateWork reports whether a goroutine waits that nobody has been woken for. Only the stand-by
// calls it, after each nap: one that is still at a P's front, and nothing has run there since, is
// late.
func lateWork() bool {
	if atomic.LoadInt32(&global.nRunq) != 0 {
		return true
	}
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if p.queue.ring.Len() != 0 {
			return true
		}
		g, t := atomic.LoadPointer(&p.queue.front), atomic.LoadUint64(&p.queue.switches)
		if g != nil && g == p.standBy.front && t == p.standBy.switches {
			guessNot(p)
			return true
		}
		p.standBy.front, p.standBy.switches = g, t
	}
	return false
}

// napForP sleeps on the list of idle threads for at most ns; reports whether another thread has
// handed it a P.
func napForP(m *M, ns int64) bool {
	global.lock.Lock()
	putIdleM(m)
	dead := nobodyLeft()
	global.lock.Unlock()
	if dead {
		ReportDeadlock()
	}
	if !m.note.SleepFor(ns) {
		global.lock.Lock()
		listed := unlistIdleM(m)
		global.lock.Unlock()
		if listed {
			return false
		}
		m.note.Sleep() // somebody has just chosen it
	}
	return takeGiven(m)
}

// spinForWork looks at the queues of Ps that run for a little while before the thread sleeps. As
// stealAny.
func spinForWork(m *M) *G {
	p := leaveP(m)
	sys.OSYield() // to the thread that woke this one, if it waits for this CPU
	if !comeBack(m, p) {
		return nil
	}
	end := sys.Nanotime() + spinNs
	for {
		for range 8 {
			sys.Pause()
		}
		if atomic.LoadUint32(&global.stopping) != 0 || atomic.LoadInt32(&global.nRunq) != 0 {
			return nil
		}
		if g := stealQueued(m); g != nil || m.P == nil {
			return g
		}
		any := false
		walk := busy.Walk(0)
		for v := nextBusy(&walk); v != nil && !any; v = nextBusy(&walk) {
			any = v != m.P && atomic.LoadUint32(&v.Status) == pRunning
		}
		if !any || sys.Nanotime() > end {
			return nil
		}
	}
}
