// Package sim is the oracle of simulated runs: it makes, from one seed, every choice that is
// otherwise left to threads, clocks and the system.
//
// A simulated run has one thread and one P. Whenever the scheduler has to say which goroutine goes
// on, it asks Pick; wherever a goroutine could be taken off its thread it asks Point. Both are
// decisions. A decision has a default, which is what a plain queue would do: the goroutine that has
// waited longest goes on, and nobody is taken off. What a strategy chooses otherwise is a
// deviation. The seed and the list of deviations are the whole schedule, so a failing run can be
// written down, made shorter by leaving deviations out, and run again (Replay).
//
// All other choices come from streams of numbers, one a purpose, so that a decision more or less
// does not change what random numbers the program gets. Everything that happens is folded into one
// hash: two runs with the same seed must end with the same one.
//
// The package is pure: it allocates nothing, knows neither goroutines nor clocks, and its tests run
// under the official toolchain. It is not for concurrent use: the thread that has the P calls it.
package sim
