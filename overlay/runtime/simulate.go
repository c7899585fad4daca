package runtime

import (
	"loam/rt/leak"
	"loam/rt/pool"
	"loam/rt/sched"
	"loam/rt/symtab"
	"loam/rt/sys"
	_ "loam/rt/world" // internal/runtime/syscall/linux goes there
	"unsafe"
)

// What package runtime has to do with simulated runs (rt/sim).

// beginSimulation begins the run that the seed decides: what initialisers have drawn is forgotten.
func beginSimulation() {
	sched.SimStack = printSimStack
	sched.SimDropPools = emptyPools
	beginSimTimeline()
	sched.SimWatch(findStuck)
	// Runs that are forked from here are not to read the tables of lines one by one.
	var frames [symtab.MaxInline]symtab.Frame
	for _, t := range unsafe.Slice(&initTasks, initTaskCount) {
		for _, pc := range t.functions() {
			symtab.Lookup(pc+1, &frames)
		}
	}
	sched.BeginSimulation()
	*sched.RandomState() = [sched.RandomWords]uint64{}
}

// testing_beginRun is called before a test of the program's own begins, on its goroutine.
//
//go:linkname testing_beginRun testing.runtime_beginRun
func testing_beginRun() {
	if sys.Simulated && sched.SimAtTest() && sched.SimStack == nil {
		beginSimulation()
	}
}

// simGeneratorSeed is a seed for numbers that the run's seed decides.
func simGeneratorSeed() (seed [32]byte) {
	for i := range seed {
		seed[i] = byte(sched.SimRandom())
	}
	return seed
}

// emptyPools drops what sync.Pools have, and what the last collection left of it.
func emptyPools() {
	pool.Turn()
	pool.Turn()
}

// Packages sync and internal/sync ask before each TryLock of a simulated run.

//go:linkname sync_tryFails sync.runtime_tryFails
func sync_tryFails() bool { return sched.SimTryFails() }

//go:linkname internal_sync_tryFails internal/sync.runtime_tryFails
func internal_sync_tryFails() bool { return sched.SimTryFails() }

// printSimStack prints where a goroutine is that waits for its turn, or has it. System stack.
func printSimStack(gp *sched.G) {
	if gp.Fresh() {
		printCreator(gp)
		return
	}
	printStack(unwindParked(gp), false, false)
}

// endSimulation is called when main.main has returned, or os.Exit is called. If it is asked for,
// goroutines that nobody can wake any more are a failure.
//
//loam:clear
func endSimulation() {
	if sched.SimLeaks() {
		findStuck()
	}
}

// findStuck ends the run if there are goroutines that nobody can wake any more.
//
//loam:clear
func findStuck() {
	if n := leak.Find(); n > 0 {
		sched.SimFails()
		sys.BeginReport()
		sys.PrintString("fatal error: simulation: ")
		sys.PrintInt(int64(n))
		if n == 1 {
			sys.PrintString(" goroutine can never go on: nobody is left who could wake it\n")
		} else {
			sys.PrintString(" goroutines can never go on: nobody is left who could wake them\n")
		}
		sched.ForEachG(func(gp *sched.G) {
			if gp.Leaked() {
				tracebackOther(gp, 0)
			}
		})
		sys.Exit(2)
	}
}

// simop and simaccess are what programs that are built for simulation call: internal/lower,
// points.go.

func simop()     { sched.SimOp() }
func simaccess() { sched.SimAccess() }
