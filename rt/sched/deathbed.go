package sched

import (
	"sync/atomic"

	"loam/rt/sys"
)

// deathbed is for what has to be done before a signal ends the program. A handler cannot do it, and
// cannot make a goroutine runnable; it leaves that to the monitor.
var deathbed struct {
	background
	sig int32 // atomic: the signal; 0: none has come
}

// BeforeDeath makes the first signal from outside that ends the program start fn on a goroutine,
// and not end it: fn calls Die at last. A second signal ends the program at once. Once, at start,
// on the first goroutine.
//
//go:noinline
func BeforeDeath(fn func()) {
	sys.AcquireM()
	deathbed.create(fn, WaitForceGC, sys.CallerPC())
	sys.ReleaseM()
}

// DeathSignal is the signal because of which fn runs.
func DeathSignal() int32 { return atomic.LoadInt32(&deathbed.sig) }

// Die does what the signal would have done without fn.
func Die() { sys.Tgkill(sys.PID, sys.Self().Tid, DeathSignal()) }

// deferDeath reports whether sig ends the program later. Signal handler.
func deferDeath(sig int32) bool {
	if deathbed.g == nil || !atomic.CompareAndSwapInt32(&deathbed.sig, 0, sig) {
		return false
	}
	MonitorWake()
	return true
}

// deathDue reports whether the goroutine is to be woken. The monitor asks after it has announced
// that it sleeps, or else deferDeath wakes it.
func deathDue() bool {
	return atomic.LoadInt32(&deathbed.sig) != 0 && atomic.LoadUint32(&deathbed.parked) != 0
}

// lookAtDeath wakes the goroutine. The monitor's thread.
func lookAtDeath() {
	if deathDue() {
		deathbed.wake()
	}
}
