package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// Outings. Where a program mostly waits, a thread comes out of the poller with a goroutine or some,
// which run for some microseconds and wait again. To wake a second thread for each, so that
// somebody waits in the poller meanwhile and goroutines do not stand behind one that runs for long,
// costs more than they do. So if the last outingsSure times all was done within quickTicks, the P
// puts these wake-ups off. It makes up for them if it schedules and that time is over. If it does
// not come to that, as a goroutine runs on, the monitor does (lateOutings), which then looks every
// two milliseconds.
//
// And where many timers run, a thread that is woken for each would do little else. So it sleeps a
// little longer if it was woken for timers just before: the more there are, the more will have come
// due, and half a millisecond at most. A few timers are as exact as they can be.
const (
	outingsSure = 8
	quickTicks  = 200000     // 70 to 100 µs
	gatherEach  = 2 * 1000   // ns a timer
	gatherMost  = 500 * 1000 // ns
)

// beginOuting: p, the calling thread's, has come out of the poller with something to do.
func beginOuting(p *P) {
	p.outSince = sys.Rdtsc()
	if atomic.LoadUint32(&global.outings) >= outingsSure {
		atomic.StoreUint32(&p.putOff, 1)
		atomic.AddUint32(&global.putOffs, 1)
	}
}

// endOuting: p has nothing to do any more, or nobody to run it.
func endOuting(p *P) {
	if p.outSince == 0 {
		return
	}
	if n := atomic.LoadUint32(&global.outings); sys.Rdtsc()-p.outSince > quickTicks {
		atomic.StoreUint32(&global.outings, 0)
	} else if n < outingsSure {
		atomic.StoreUint32(&global.outings, n+1)
	}
	forgetOuting(p)
}

func forgetOuting(p *P) {
	p.outSince = 0
	atomic.StoreUint32(&p.putOff, 0)
}

// outingLasts makes up for the wake-ups that p, which has put them off and schedules, owes by now.
func outingLasts(p *P) {
	if sys.Rdtsc()-p.outSince > quickTicks {
		makeUp(p)
	}
}

// makeUp wakes a thread in the place of those that were put off on p. Any thread.
func makeUp(p *P) {
	atomic.StoreUint32(&global.outings, 0)
	atomic.StoreUint32(&p.putOff, 0)
	wakeThread()
}

// lateOutings is the monitor's: it makes up for what was put off where no goroutine has switched
// since the last round.
func lateOutings() {
	for i := int32(0); i < atomic.LoadInt32(&nProcs); i++ {
		p := allP[i]
		late := atomic.LoadUint32(&p.putOff) != 0
		if t := atomic.LoadUint64(&p.switches); late && p.monOuting == t {
			makeUp(p)
		} else if late {
			p.monOuting = t
		} else {
			p.monOuting = ^uint64(0)
		}
	}
}

// gatherTimers returns when who waits in the poller for timers, the first of which is due at until,
// should be woken, and whether that is later. It was last woken for timers at last.
func gatherTimers(until, last int64) (when int64, later bool) {
	if until >= last+gatherMost {
		return until, false
	}
	n := int64(0)
	for i := int32(0); i < atomic.LoadInt32(&nProcs); i++ {
		n += int64(timerLen(i))
	}
	when = last + min(n*gatherEach, gatherMost)
	return max(until, when), when > until
}
