package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// Simulation is what decides in the scheduler's place in simulated runs (rt/simulation). Nothing
// else of the scheduler knows it; what it may ask of the scheduler is below, and in the exported
// names.
type Simulation struct {
	// Next is the goroutine that goes on, in the place of the run queues. System stack, with the P.
	Next func(p *P) *G

	// Turn prepares the turn that g begins on thread t. System stack.
	Turn func(t *sys.Thread, g *G)

	// Keeps reports whether the goroutine goes on that has found its limit poisoned at a function
	// entry. Goroutine stack.
	Keeps func() bool

	// Procs returns what GOMAXPROCS says, and sets that if n is not 0 or less. There is one P.
	Procs func(n int32) (old int32)

	// Syscall makes a system call of the program's. Goroutine stack.
	Syscall func(num, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr)
}

// simulation is all zero unless the run is simulated.
var simulation Simulation

// startSimulation reads LOAMSIM.
//
//go:linkname startSimulation loam/rt/simulation.start
func startSimulation() Simulation

// simulate begins a simulated run. First thread, before the heap is there.
func simulate() {
	simulation = startSimulation()
	setDetour()
	jitter.on = false
}

// TakeQueued takes the next goroutine that can run, p's before those of the global queue; nil if
// there is none. Owner of p, the only one.
func TakeQueued(p *P) *G {
	if g := takeNext(p); g != nil {
		return g
	}
	if g := (*G)(p.runq.Pop()); g != nil {
		return g
	}
	if global.nRunq != 0 {
		return popGlobal()
	}
	return nil
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
