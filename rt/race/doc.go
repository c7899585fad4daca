// Package race finds data races in simulated runs: two accesses of different goroutines to the same
// memory, one of which is a write, that nothing orders.
//
// What orders them is known by vector clocks. A goroutine (Actor) counts its releases, and its
// clock says up to which release of each other goroutine it knows what happened. Whatever
// synchronises (channels, locks, atomics, go statements) hands clocks on: Release leaves the
// actor's clock in a synchronisation object, which is an address, and Acquire takes over what is
// there.
//
// For each eight bytes of memory there is a cell of shadow memory with the last few accesses: who,
// at which count of releases, which of the bytes, and where in the program. An access that the
// running goroutine's clock does not cover, of which one writes and one is not atomic, is a race.
//
// A simulated run has one thread, and a goroutine is never taken off its thread between the
// question (Access) and the access it is about. So nothing here is atomic, and what is found
// depends on the run's schedule alone. A race is found in each run in which its two accesses are
// not ordered, whichever comes first, unless a cell has lost the earlier one to four others.
//
// The package is pure: it knows neither goroutines nor the heap. Its tests run under the official
// toolchain. rt/sched tells it who runs; overlay/runtime, rt/channel and others tell it what
// happens.
package race
