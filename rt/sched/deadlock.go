package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// ProgramFails is set when the program is to blame for the end, not the run-time system: stacks are
// without the frames of the latter.
var ProgramFails bool

// AllAsleep is set when the program is about to end because of a deadlock.
var AllAsleep bool

// nobodyLeft reports whether nothing can ever run again: every thread but the system's own sleeps,
// no timer is set, and nobody waits for the network. With the tag faketime it is so, too, when
// nothing can run before a timer. global.lock held.
func nobodyLeft() bool {
	if atomic.LoadUint32(&global.exiting) != 0 || sys.HasC() {
		return false // a thread of C's may call
	}
	run := global.nM - int64(global.nIdleThreads) - int64(global.nLocked) - int64(global.nSys)
	if run > 0 {
		return false
	}
	if global.stopping != 0 || global.nRunq != 0 {
		return false
	}
	timer := timerNextAll() != never
	if timer && !sys.FakeTime || !timer && netWaiters() > 0 {
		return false
	}
	// Last: whom the monitor has taken from those who wait for the network was looked for above, or
	// is seen here, as the monitor needs the lock to put it into the queue.
	return atomic.LoadUint32(&global.monPolls) == 0
}

// pollLate is the monitor's look at the network.
func pollLate() {
	atomic.StoreUint32(&global.monPolls, 1)
	list := netPoll(0)
	if jitter.on {
		sys.Usleep(jitterDelay())
	}
	injectList(list)
	global.lock.Lock()
	atomic.StoreUint32(&global.monPolls, 0)
	dead := list == nil && nobodyLeft() // threads that went to sleep meanwhile did not report it
	global.lock.Unlock()
	if dead {
		ReportDeadlock()
	}
}

// ReportDeadlock ends the program with Go's words.
func ReportDeadlock() {
	if sys.FakeTime && nextTimer() {
		return
	}
	if atomic.LoadUint32(&global.exiting) != 0 {
		return
	}
	// A goroutine may be on its way: queued, with no thread awake. That would be an
	// error of the scheduler; start it rather than blame the program.
	stuck := false
	ForEachG(func(g *G) {
		if s := atomic.LoadUint32(&g.Status); s == Runnable || s == Running || s == Syscall {
			stuck = true
		}
	})
	if stuck {
		wakeThread()
		return
	}
	AllAsleep = true
	if NumGoroutine() == 0 {
		sys.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	sys.Throw("all goroutines are asleep - deadlock!")
}

// nextTimer moves the clock on to the next timer and wakes a thread for it; false if there is none.
// Every thread slept a moment ago.
func nextTimer() bool {
	next := timerNextAll()
	if next == never {
		return false
	}
	sys.AdvanceClock(next)
	wakeThread()
	return true
}
