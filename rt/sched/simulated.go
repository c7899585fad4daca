package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// simulate begins a simulated run. First thread, before the heap is there.
func simulate() {
	simulation = startSimulation()
	setDetour()
	jitter.on = false
}

// RunTimers runs what is due in p's heap. Owner of p, system stack.
func RunTimers(p *P, now int64) { setTimerNext(p, timerRun(p.ID, now)) }

// EndTurn takes the goroutine that runs off its thread; it can go on at any time. Goroutine stack.
//
//loam:inline
func EndTurn() { sys.Mcall(preemptG) }

// NewParked makes a goroutine of the run-time system's that runs when its status is made Runnable
// and Simulation.Next returns it. Pinned.
func NewParked(fn func()) *G {
	g := newSystemG(curP(), fn, 0, true)
	g.Status = Waiting
	return g
}

// awaiting is os/signal's goroutine while it waits, in a simulated run.
var awaiting *G

// AwaitsSignal reports whether a goroutine waits for signals.
func AwaitsSignal() bool { return awaiting != nil }

// awaitSimulated waits for a signal. Goroutine stack.
func awaitSimulated() {
	Park(func(g unsafe.Pointer) bool {
		if !mailbox.arrived.empty() {
			return false
		}
		awaiting = (*G)(g)
		return true
	}, unsafe.Pointer(CurrentG()), WaitSignal)
}

// SimulatedSignal lets the program get a signal from the simulated world. It returns whether the
// signal stops the process: the program does not want it. System stack.
func SimulatedSignal(sig int32) (stops bool) {
	if queueSignal(sig) {
		if g := awaiting; g != nil {
			awaiting = nil
			Ready(g)
		}
		return false
	}
	if isIgnored(sig) {
		return false
	}
	switch fate := fateOf(sig); {
	case fate == fateKernel:
		return sig != sys.SIGCONT
	case fate.reported():
		sys.Tgkill(sys.PID, sys.Self().Tid, sig) // the handler reports it
	case fate == fateDeath || sig == sys.SIGKILL:
		if sys.AtExit != nil && sys.AtExit(128+sig) == 0 {
			sys.Exit(0)
		}
		DieBySignal(sig)
	}
	return false
}
