package runtime

import (
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/world"
)

// What package testing/sim needs of a run, which it pulls by go:linkname.

func simRunning() bool { return sys.Simulated }

func simSeed() uint64 {
	if !sys.Simulated {
		return 0
	}
	return simulation.Seed()
}

func simDraw() uint64 { return simulation.DrawUser() }

func simCount(kind int, cond bool, name string) {
	var ok bool
	sys.OnSystemStack(func() { ok = simulation.Count(sim.PlaceKind(kind), cond, name) })
	if !ok {
		tooManyPlaces()
	}
}

func simMaybe(name string) (yes bool) {
	var ok bool
	sys.OnSystemStack(func() { yes, ok = simulation.Maybe(name) })
	if !ok {
		tooManyPlaces()
	}
	return yes
}

func tooManyPlaces() {
	fatal("testing/sim: more than 2048 different names, or 128 KB of them, or one of more than 1024 bytes: a name is that of a place in the source")
}

func simViolated(what, name string) {
	sys.AcquireM()
	simulation.Fails()
	fatal("simulation: " + what + name)
}

func simAsk(op, machine int, value int64, text string) int64 {
	return world.Ask(op, machine, value, text)
}
