package sched

import (
	_ "unsafe" // for go:linkname

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
