package runtime

import (
	"internal/chacha8rand"
	"loam/rt/leak"
	"loam/rt/sched"
	"loam/rt/sys"
	_ "loam/rt/world" // internal/runtime/syscall/linux goes there
)

// What package runtime has to do with simulated runs (rt/sim).

// beginSimulation begins the run that the seed decides: what initialisers have drawn is forgotten.
func beginSimulation() {
	sched.BeginSimulation()
	generators[0] = nil
}

// simGenerator makes a generator whose numbers the run's seed decides.
func simGenerator(seed [32]byte) *chacha8rand.State {
	for i := range seed {
		seed[i] = byte(sched.SimRandom())
	}
	s := new(chacha8rand.State)
	s.Init(seed)
	return s
}

// endSimulation is called when main.main has returned. If it is asked for, goroutines that nobody
// can wake any more are a failure.
//
//loam:clear
func endSimulation() {
	if !sched.SimLeaks() {
		return
	}
	if n := leak.Find(); n > 0 {
		sys.BeginReport()
		sys.PrintString("simulation: ")
		sys.PrintInt(int64(n))
		sys.PrintString(" goroutines wait for what nobody can do any more\n")
		sys.Throw("leaked goroutines")
	}
}

// simop and simaccess are what programs that are built for simulation call: internal/lower,
// points.go.

func simop()     { sched.SimOp() }
func simaccess() { sched.SimAccess() }
