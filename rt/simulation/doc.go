// Package simulation makes simulated runs (LOAMSIM): it makes the scheduler's decisions
// (sched.Simulation), and asks the oracle (rt/sim) for each of them. rt/world is the model of the
// system that such a run sees.
//
// There is one thread and one P; nothing else runs: no monitor, no thieves, no poller, and
// goroutines that are locked to a thread are on this one anyway. Everything that can run is moved
// to one list, of which the oracle chooses; time is a number that grows when something is done, and
// goes on to the next timer when nothing can be.
//
// Until main.main begins, or the first test (begin=test), a run is the same for all seeds: package
// initialisers run by seed 0. So a process that has come that far can be forked for each seed
// (simserver.go).
//
// Where a goroutine can be taken off is a point: the first function entry after an operation of the
// run-time system (as a preemption that was asked for meanwhile, Thread.Want), and in some turns
// every so many function entries, by poisoning the limit of its stack.
package simulation
