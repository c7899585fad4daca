package sched

import (
	"sync/atomic"

	"loam/rt/sys"
	"loam/rt/tracer"
)

const (
	sliceNs    = 10 * 1000 * 1000 // a goroutine may run this long before it is asked to yield
	retryNs    = 1000 * 1000
	pollEvery  = 10 * 1000 * 1000 // the monitor polls if nobody else did for so long
	monMinUs   = 20
	monSpareUs = 500
	monMaxUs   = 10 * 1000
	// While every P is idle the monitor sleeps 10 ms, then twice as long each time.
	idleMinNs = 10 * 1000 * 1000
	// But for two while there are that many outings in between (lateOutings).
	outingNs    = 2 * 1000 * 1000
	manyOutings = 4
	idleMaxNs   = 60 * 1000 * 1000 * 1000
)

// monitorMain is the monitor: a thread without P that does what no other thread may be free
// to do. It sleeps 20 µs between rounds while it finds something, up to 10 ms when not,
// and for long when every P is idle.
func monitorMain() {
	sys.ThreadReady(systemMask)
	quiet := 0
	delay := int64(monMinUs)
	for {
		if quiet == 0 {
			delay = monMinUs
		} else if quiet > 50 {
			delay *= 2
		}
		if delay > monMaxUs {
			delay = monMaxUs
		}
		// With a P to spare nobody waits for one that is in a system call.
		if delay < monSpareUs && atomic.LoadUint32(&counts.nIdleP) != 0 {
			delay = monSpareUs
		}
		if jitter.on {
			delay = jitterDelay()
		}
		sys.Usleep(delay)
		now := sys.Nanotime()
		if schedTrace.every != 0 {
			traceRound(now)
		} else if monitorSleep() {
			quiet = 0
			delay = monMinUs
			now = sys.Nanotime()
		}
		last := atomic.LoadInt64(&global.polledAt)
		if last != 0 && last+pollEvery < now && netWaiters() > 0 {
			atomic.CompareAndSwapInt64(&global.polledAt, last, now)
			pollLate()
		}
		if t := timerNextAll(); t != never && t+pollEvery < timerClock(now) {
			lateTimers()
		}
		sys.MeasureTicks()
		lookAtDeath()
		lookAtHeap(now)
		lookAtProcs(now)
		lookAtMemory(now)
		lateHandoffs()
		lateOutings()
		if reclaim(now) {
			quiet = 0
		} else {
			quiet++
		}
	}
}

// monitorSleep sleeps while every P is idle or the world is stopped; reports whether it
// slept. Its period doubles, and threads that get a P wake the monitor only out of long
// periods (monitorNeeded): a program that ticks every millisecond does not wake two threads each
// time, and one that sleeps has no wake-ups.
func monitorSleep() bool {
	if !allIdle() {
		return false
	}
	slept := false
	outings := atomic.LoadUint32(&global.putOffs)
	for period := int64(idleMinNs); ; period = min(2*period, idleMaxNs) {
		if n := atomic.LoadUint32(&global.putOffs); n-outings >= manyOutings {
			period, outings = outingNs, n
		}
		global.lock.Lock()
		if !allIdle() {
			global.lock.Unlock()
			return slept
		}
		global.monNote.Clear()
		state := uint32(1)
		if period > idleMinNs {
			state = 2
		}
		atomic.StoreUint32(&global.monWait, state)
		global.lock.Unlock()
		woken := deathDue() || global.monNote.SleepFor(period)
		atomic.StoreUint32(&global.monWait, 0)
		slept = true
		if woken {
			return true
		}
		lookAtHeap(sys.Nanotime())
	}
}

func allIdle() bool {
	return atomic.LoadUint32(&global.stopping) != 0 || atomic.LoadUint32(&counts.nIdleP) == uint32(nProcs)
}

// lateTimers makes every P look at its timers: the usual ways have missed one.
func lateTimers() {
	for h := timerFilled(0); h >= 0; h = timerFilled(h + 1) {
		for i := h; i < atomic.LoadInt32(&nProcs); i += timerHeaps {
			setTimerNext(allP[i], 1)
		}
	}
	wakeThread()
}

// lateHandoffs wakes a thread for goroutines that wait in the queue of a P which has not switched
// since the last round, although Ps are idle: readyOn left the wake-up out and was wrong, and
// nobody stands by, or its look at the idle Ps came too early.
func lateHandoffs() {
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		if atomic.LoadUint32(&p.Status) != pRunning {
			continue
		}
		t := atomic.LoadUint64(&p.queue.switches)
		g := atomic.LoadPointer(&p.queue.front)
		if t == p.monitor.switches && g == p.monitor.front && hasWork(p) && atomic.LoadUint32(&counts.nIdleP) != 0 {
			guessNot(p)
			wakeThread()
		}
		p.monitor.front, p.monitor.switches = g, t
	}
}

// reclaim takes Ps from threads that are in a system call for more than a round of
// the monitor, and asks goroutines that use up their slice to yield. One that makes a system call
// after the other is seldom met outside of them, and no call of it may last for a round: it loses
// its P in a call, too, once its slice is over. Without that nobody else would ever get the P.
func reclaim(now int64) bool {
	found := false
	walk := busy.Walk(0)
	for p := nextBusy(&walk); p != nil; p = nextBusy(&walk) {
		st := atomic.LoadUint32(&p.Status)
		spent := false
		if st == pRunning || st == pSyscall {
			if t := atomic.LoadUint64(&p.queue.turns); p.monitor.turns != t {
				p.monitor.turns = t
				p.monitor.turnsSince = now
			} else if spent = p.monitor.turnsSince+sliceNs <= now; spent && st == pRunning {
				preemptP(p)
				p.monitor.turnsSince += retryNs // it may be where it cannot stop: ask again, but not each round
			}
		}
		if st != pSyscall {
			continue
		}
		if t := atomic.LoadUint32(&p.hold.kernelCalls); p.monitor.calls != t {
			p.monitor.calls = t
			p.monitor.callsSince = now
			if !spent {
				continue
			}
		}
		// Nobody needs the P yet: leave it, so that the call returns cheaply.
		if !hasWork(p) && atomic.LoadUint32(&counts.nSearching)+atomic.LoadUint32(&counts.nIdleP) > 0 &&
			p.monitor.callsSince+sliceNs > now {
			continue
		}
		if takeFromCall(p, pIdle) {
			endOuting(p)
			found = true
			if debugSched {
				traceSched("P", int64(p.ID), " taken from a system call, in microseconds ", (now-p.monitor.callsSince)/1000)
			}
			if tracer.On {
				traceProcSteal(p)
			}
			passOn(p)
		}
	}
	return found
}
