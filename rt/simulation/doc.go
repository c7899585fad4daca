// Package simulation makes simulated runs (LOAMSIM): it takes the place of the scheduler's decisions
// (sched.Simulation), and asks the oracle (rt/sim) for each of them. rt/world is the model of the
// system that such a run sees.
package simulation
