//go:build loam

package world

import (
	"loam/rt/cluster"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// A process that a signal has stopped takes in what is sent to it, and does nothing until another
// process lets it go on, or ends it.

var (
	stopped bool
	// When the signal arrives that lets it go on. It may be on its way before the one that stops.
	goesOn int64
)

// takeSignal is for a signal that has arrived. System stack.
func takeSignal(sig int32) {
	if sig == sys.SIGCONT {
		stopped = false
	}
	if sig == sys.SIGSTOP || simulation.Signal(sig) {
		if others == nil {
			leaves("the program stops itself, and there is no other process that could let it go on", "", "")
		}
		stopped = true
		simulation.TurnUntil(sys.SimTime.Now)
	}
}

// noteSignal notes a signal that is on its way.
func noteSignal(f *cluster.Frame) {
	if sig := int32(f.Size); sig == sys.SIGCONT || sig == sys.SIGKILL {
		goesOn = max(goesOn, f.When)
	}
}

// whenItGoesOn is when a process that is stopped has something to do.
func whenItGoesOn() int64 {
	if goesOn > sys.SimTime.Now {
		return goesOn
	}
	return cluster.Never
}

// mayGoOn lets a process that is stopped go on if what is to let it arrives in a turn that ends at
// a time.
func mayGoOn(end int64) bool {
	if at := whenItGoesOn(); at <= end && at != cluster.Never {
		stopped = false
		sys.SimTime.Now = at
	}
	return !stopped
}
