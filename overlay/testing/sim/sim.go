// Package sim is for programs and tests that say what simulated runs (loam test -sim, loam run
// -sim) are to look for: what always holds, what is to happen sometimes, and where a fault could
// be.
//
// It is Loam's own. Files that import it begin with
//
//	//go:build loam
//
// so that other compilers leave them out.
//
// All of it can stay in a program that is not simulated: there, Always and Unreachable panic when
// they are violated, Maybe says no, and the others do nothing.
//
// A name stands for the place in the source: two calls with the same name count as one place. Names
// are best literals. loam test finds those in the package's source, and so knows of a place that no
// run has come to.
package sim

import (
	"math/rand/v2"
	_ "unsafe"
)

// Running reports whether the run is simulated.
func Running() bool { return running() }

// Seed returns the seed of a simulated run, otherwise 0.
func Seed() uint64 { return seed() }

// Rand returns a generator of random numbers for what a test does: which operations, in which
// order, on what. In a simulated run the seed decides them, and nothing else: they are a stream of
// their own, which neither the schedule nor other users of random numbers change. All that Rand
// returns share it. In other runs they are as those of math/rand/v2.
func Rand() *rand.Rand { return rand.New(source{}) }

type source struct{}

func (source) Uint64() uint64 {
	if !running() {
		return rand.Uint64()
	}
	return random()
}

// Always says that cond holds whenever the program comes here. If it does not, a simulated run
// ends at once, with the stacks of all goroutines: no recover helps. Other runs panic.
func Always(cond bool, name string) {
	if running() {
		count(always, cond, name)
		if !cond {
			violated("sim.Always: ", name)
		}
		return
	}
	if !cond {
		panic("sim.Always: " + name + " does not hold")
	}
}

// Unreachable says that the program never comes here. If it does, it ends as with Always.
func Unreachable(name string) {
	if running() {
		count(unreachable, false, name)
		violated("sim.Unreachable: ", name)
	}
	panic("sim.Unreachable: " + name + " was reached")
}

// Sometimes says that cond is to hold here in some of the runs of a hunt (loam test -sim=N). If it
// never does, the test has not tried what it was written for, and fails. A single run takes no
// notice.
func Sometimes(cond bool, name string) {
	if running() {
		count(sometimes, cond, name)
	}
}

// Reachable says that some of the runs of a hunt are to come here.
func Reachable(name string) {
	if running() {
		count(reachable, true, name)
	}
}

// Maybe reports whether the program is to do here what is allowed, but rare: to give up early, to
// take the slow path, to return an error that callers must expect. In a simulated run the seed
// decides which of the names are used at all, and how often; it is part of the schedule, so a
// failing run is shown with as few of them as possible. In other runs it says no.
func Maybe(name string) bool { return running() && maybe(name) }

// The kinds of places, as rt/sim has them.
const (
	always = iota
	unreachable
	sometimes
	reachable
)

// Provided by overlay/runtime. The directives also let the official compiler, which checks packages
// for loam vet, take functions without bodies.

//go:linkname running runtime.simRunning
func running() bool

//go:linkname seed runtime.simSeed
func seed() uint64

//go:linkname random runtime.simDraw
func random() uint64

//go:linkname count runtime.simCount
func count(kind int, cond bool, name string)

//go:linkname maybe runtime.simMaybe
func maybe(name string) bool

//go:linkname violated runtime.simViolated
func violated(what, name string)
