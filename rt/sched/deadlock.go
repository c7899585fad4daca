package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// waitingOutside counts goroutines that can be woken by something the scheduler
// does not see otherwise. While it is not 0 there is no deadlock.
var waitingOutside int32

// AllAsleep is set when the program is about to end because of a deadlock.
var AllAsleep bool

// checkDead says whether nothing can ever run again: every thread but the system's own
// sleeps, no timer is set and nobody waits for the network. sched.lock held.
func checkDead() bool {
	if atomic.LoadUint32(&sched.exiting) != 0 || atomic.LoadInt32(&waitingOutside) != 0 {
		return false
	}
	run := sched.nM - int64(sched.nIdleM) - int64(sched.nLocked) - int64(sched.nSys)
	if run > 0 {
		return false
	}
	if sched.stopping != 0 || sched.nRunq != 0 {
		return false
	}
	if netWaiters() > 0 || timerNextAll() != never {
		return false
	}
	return true
}

// reportDeadlock ends the program with Go's words.
func reportDeadlock() {
	if atomic.LoadUint32(&sched.exiting) != 0 {
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
		wakeP()
		return
	}
	AllAsleep = true
	if NumGoroutine() == 0 {
		sys.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	sys.Throw("all goroutines are asleep - deadlock!")
}
