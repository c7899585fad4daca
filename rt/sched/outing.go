package sched

import (
	"sync/atomic"

	"loam/rt/policy"
	"loam/rt/sys"
)

// Outings (rt/policy). A P that puts wake-ups off makes up for them if it schedules and the time is
// over. If it does not come to that, as a goroutine runs on, the monitor does (lateOutings), which
// then looks every two milliseconds.

// beginOuting: p, the calling thread's, has come out of the poller with something to do.
func beginOuting(p *P) {
	p.outing.since = sys.Rdtsc()
	if policy.PutsOff(atomic.LoadUint32(&global.outings)) {
		atomic.StoreUint32(&p.outing.putOff, 1)
		atomic.AddUint32(&global.putOffs, 1)
	}
}

// endOuting: p has nothing to do any more, or nobody to run it.
func endOuting(p *P) {
	if p.outing.since == 0 {
		return
	}
	quick := atomic.LoadUint32(&global.outings)
	// The line is shared: it is only written if that changes something.
	if after := policy.AfterOuting(quick, sys.SinceTick(p.outing.since)); after != quick {
		atomic.StoreUint32(&global.outings, after)
	}
	forgetOuting(p)
}

// outingLasts makes up for the wake-ups that p, which has put them off and schedules, owes by now.
func outingLasts(p *P) {
	if !policy.Quick(sys.SinceTick(p.outing.since)) {
		makeUp(p)
	}
}

// makeUp wakes a thread in the place of those that were put off on p. Any thread.
func makeUp(p *P) {
	atomic.StoreUint32(&global.outings, 0)
	atomic.StoreUint32(&p.outing.putOff, 0)
	wakeThread()
}

// lateOutings is the monitor's: it makes up for what was put off where no goroutine has switched
// since the last round.
func lateOutings() {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		late := atomic.LoadUint32(&p.outing.putOff) != 0
		if t := atomic.LoadUint64(&p.queue.switches); late && p.monitor.outing == t {
			makeUp(p)
		} else if late {
			p.monitor.outing = t
		} else {
			p.monitor.outing = ^uint64(0)
		}
	}
}

// gatherTimers returns when who waits in the poller for timers, the first of which is due at until,
// should be woken, and whether that is later. It was last woken for timers at last.
func gatherTimers(until, last int64) (when int64, later bool) {
	if !policy.Gathers(until, last) {
		return until, false
	}
	n := int64(0)
	for i := timerFilled(0); i >= 0; i = timerFilled(i + 1) {
		n += int64(timerLen(i))
	}
	return policy.GatherUntil(until, last, n)
}
