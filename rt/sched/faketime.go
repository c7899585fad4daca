package sched

import "loam/rt/sys"

// Programs with the build tag faketime (rt/sys). The clock of their timers goes on when every
// thread sleeps on the list of idle ones. So no thread waits for a timer, and none stands by; for
// the network one waits only if there is no timer.

// timerClock is what the timers' clock says when the monotonic one says now.
func timerClock(now int64) int64 {
	if sys.FakeTime {
		return sys.Clock()
	}
	return now
}

// mayWait reports whether a thread may wait in the poller, for the network or the timer that is due
// at until.
func mayWait(until int64) bool {
	if sys.FakeTime {
		return netWaiters() > 0 && until == never
	}
	return netWaiters() > 0 || until != never
}
