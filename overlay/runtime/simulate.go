package runtime

import (
	"loam/rt/leak"
	"loam/rt/pool"
	"loam/rt/sched"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
	_ "loam/rt/world" // internal/runtime/syscall/linux goes there
)

// What package runtime has to do with simulated runs (rt/sim).

// beginSimulation begins the run that the seed decides: what initialisers have drawn is forgotten.
func beginSimulation() {
	simulation.Stack = printSimStack
	simulation.DropPools = emptyPools
	beginSimTimeline()
	simulation.Watch(func() { findStuck(false) })
	simulation.Begin()
	*sched.RandomState() = [sched.RandomWords]uint64{}
}

// testing_beginRun is called before a test of the program's own begins, on its goroutine.
//
//go:linkname testing_beginRun testing.runtime_beginRun
func testing_beginRun() {
	if sys.Simulated && simulation.AtTest() && simulation.Stack == nil {
		beginSimulation()
	}
}

// simGeneratorSeed is a seed for numbers that the run's seed decides.
func simGeneratorSeed() (seed [32]byte) {
	for i := range seed {
		seed[i] = byte(simulation.Random())
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
func sync_tryFails() bool { return simulation.TryFails() }

//go:linkname internal_sync_tryFails internal/sync.runtime_tryFails
func internal_sync_tryFails() bool { return simulation.TryFails() }

// printSimStack prints where a goroutine is that waits for its turn, or has it: without the
// outermost frames of package testing, unless there are no others. System stack.
func printSimStack(gp *sched.G) {
	if gp.Fresh() {
		printCreator(gp, false)
		return
	}
	u := unwindParked(gp)
	var w frameWriter
	w.walk(u)
	if w.own == 0 && w.count == 0 {
		printStack(u, false, false)
		return
	}
	w.to = max(1, min(w.own, innerFrames))
	w.walk(u)
}

// endSimulation is called when main.main has returned, or os.Exit is called. If it is asked for,
// goroutines that nobody can wake any more are a failure. The others go on first, for as long as
// the machine may stand still before the process is gone. What they do then counts in a test,
// behind which others could come, but not in a program, which is over. A goroutine that calls
// os.Exit may have a lock by which it keeps others from going on; a test's main function has none.
//
//loam:clear
func endSimulation(exits bool) {
	if !simulation.Leaks() {
		return
	}
	if ns := simulation.Ends(); ns > 0 {
		if !simulation.AtTest() {
			simulation.Hide()
		}
		timer.SleepFor(ns)
		if !simulation.AtTest() {
			simulation.Show()
		}
	}
	findStuck(!simulation.Others() && (!exits || simulation.AtTest()))
	findTicking()
}

// findTicking ends the run if there are goroutines that have been left to their timers: nobody can
// do what they wait for besides. One that goes on so for a few rounds has tries or a limit; so the
// clock goes on until it has been enough of them. What else happens meanwhile has never been.
//
//loam:clear
func findTicking() {
	if simulation.Alone() || leak.FindTicking() == 0 {
		return
	}
	simulation.Afterwards()
	var n int
	for wait, rare := int64(1e6), true; rare && simulation.After(wait) && wait < 1<<60; wait *= 2 {
		timer.SleepFor(wait)
		n, rare = ticking()
	}
	simulation.Show()
	if n > 0 {
		reportStuck(n, " goroutine goes on for ever, by a timer: nobody is left who could stop it\n",
			" goroutines go on for ever, by timers: nobody is left who could stop them\n")
	}
}

// ticking marks the goroutines that have gone on by their timers often enough, and says whether
// there are others.
func ticking() (n int, rare bool) {
	leak.FindTicking()
	sched.ForEachG(func(gp *sched.G) {
		switch {
		case !gp.Leaked():
		case gp.ID == 1:
			gp.SetLeaked(false)
		case simulation.TurnsAfter(gp) < enoughTicks:
			gp.SetLeaked(false)
			rare = true
		default:
			n++
		}
	})
	return n, rare
}

// enoughTicks is after how many turns by timers a goroutine is taken to go on for ever.
const enoughTicks = 200

// findStuck ends the run if there are goroutines that nobody can wake any more. over says that none
// will go on.
//
//loam:clear
func findStuck(over bool) {
	if n := leak.Find(over); n > 0 {
		reportStuck(n, " goroutine can never go on: nobody is left who could wake it\n",
			" goroutines can never go on: nobody is left who could wake them\n")
	}
}

// reportStuck ends the run. n goroutines are leaked; one and more say what that means.
func reportStuck(n int, one, more string) {
	simulation.Fails()
	sys.BeginReport()
	sys.PrintString("fatal error: simulation: ")
	sys.PrintInt(int64(n))
	if n == 1 {
		more = one
	}
	sys.PrintString(more)
	sched.ForEachG(func(gp *sched.G) {
		if gp.Leaked() {
			tracebackOther(gp, 0)
		}
	})
	sys.Exit(2)
}

// simop and simaccess are what programs that are built for simulation call: internal/lower,
// points.go.

func simop()     { simulation.Op() }
func simaccess() { simulation.Access() }
