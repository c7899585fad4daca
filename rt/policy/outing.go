package policy

// An outing is the time from when a thread comes out of the poller, with a goroutine or some, until
// its P is idle again. Where a program mostly waits they take microseconds. To wake a second thread
// in each, so that somebody waits in the poller meanwhile and goroutines do not stand behind one
// that runs for long, costs more than they do. So if the last ones were all quick, wake-ups are put
// off.

const (
	outingsSure = 8
	quickOuting = 80_000 // ns
)

// PutsOff reports whether a P puts wake-ups off when so many outings in a row were quick.
func PutsOff(quick uint32) bool { return quick >= outingsSure }

// Quick reports whether an outing is that has taken so long.
func Quick(ns int64) bool { return ns <= quickOuting }

// AfterOuting is how many outings in a row were quick behind one that took so long; before it there
// were that many.
func AfterOuting(quick uint32, ns int64) uint32 {
	if !Quick(ns) {
		return 0
	}
	return min(quick+1, outingsSure)
}

// Where many timers run, a thread that is woken for each would do little else. So it sleeps a
// little longer if it was woken for timers just before: the more there are, the more will have
// come due, and half a millisecond at most. A few timers are as exact as they can be.

const (
	gatherEach = 2_000   // ns a timer
	gatherMost = 500_000 // ns
)

// Gathers reports whether timers may be gathered: the first is due at until, and the thread was
// last woken for timers at last.
func Gathers(until, last int64) bool { return until < last+gatherMost }

// GatherUntil is when the thread is woken if there are so many timers, and whether that is later
// than until.
func GatherUntil(until, last, timers int64) (when int64, later bool) {
	when = last + min(timers*gatherEach, gatherMost)
	return max(until, when), when > until
}
