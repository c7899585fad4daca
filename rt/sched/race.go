package sched

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sys"
)

// What the scheduler tells the detector of data races (rt/race), in programs that were built for
// it.

// raceSpawned is for a goroutine that newG has made.
func raceSpawned(g *G) {
	born := race.Born{Number: g.ID, Creator: g.CreatorID, CreatorPC: g.CreatorPC}
	if sys.Simulated && !race.Run.Spawn(raceRef(g), born) {
		sys.Throw("the detector of data races has room for 16,384 goroutines at a time, and there are more")
	}
}

func raceRef(g *G) uintptr { return uintptr(unsafe.Pointer(g)) }

func raceEnded(g *G) {
	if sys.Simulated {
		race.Run.End(raceRef(g))
	}
}

// RaceKnows is for a goroutine that runs finalizers or cleanups, before each: what it is about was
// dropped by all.
func RaceKnows() { race.Run.AcquireAll(race.Run.Now()) }
