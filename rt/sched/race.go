package sched

import (
	"unsafe"

	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sys"
)

// What the scheduler tells the detector of data races (rt/race), in programs that were built for
// it.

// raceThreads is how many goroutines that access memory have a slot of their own, before they take
// those of others that do not run. A clock has a word for each.
const raceThreads = 256

// beginRaces is called before the heap is there. First thread.
func beginRaces() {
	d := &race.Run
	race.Wait = sys.OSYield
	d.Current = raceCurrent
	d.Timer = raceTimer
	lo, hi := heap.Globals()
	d.Data(lo, hi-lo)
	if !sys.Simulated {
		d.Slots, d.Threads = raceThreads, true
		d.Fill = raceFill
		d.Begin(raceGrow)
	}
}

func raceGrow(bytes uintptr) unsafe.Pointer {
	p, err := sys.Mmap(0, bytes, sys.PROT_READ|sys.PROT_WRITE, sys.MAP_PRIVATE|sys.MAP_ANON|sys.MAP_NORESERVE)
	if err != 0 {
		sys.Throw("out of memory (detector of data races)")
	}
	return sys.Ptr(p)
}

// raceFill need not succeed.
func raceFill(p unsafe.Pointer, bytes uintptr) {
	sys.Madvise(uintptr(p), bytes, sys.MADV_POPULATE_WRITE)
}

func raceCurrent() *race.Actor {
	if g := CurrentG(); g != nil {
		return g.Race.Actor()
	}
	return nil
}

func raceTimer() *uintptr { return &sys.Self().RaceTimer }

// raceSpawned is for a goroutine that newG has made.
func raceSpawned(g *G) {
	born := race.Born{Number: g.ID, Creator: g.CreatorID, CreatorPC: g.CreatorPC}
	if where := race.Run.Stack; where != nil && !sys.Simulated {
		born.Stack = where(race.Run.Now())
	}
	g.Race.Set(race.Run.Spawn(born))
}

func raceEnded(g *G) {
	race.Run.End(g.Race.Actor())
	g.Race.Set(nil)
}

// renewRaces is called with the world stopped: nobody is in the midst of an access.
func renewRaces() {
	if race.Run.Worn() && !sys.Simulated {
		race.Run.Renew(func(p unsafe.Pointer, bytes uintptr) {
			if sys.Madvise(uintptr(p), bytes, sys.MADV_DONTNEED) != 0 {
				sys.Throw("memory of the detector of data races cannot be given back")
			}
		})
	}
}

// RaceKnows is for a goroutine that runs finalizers or cleanups, before each: what it is about was
// dropped by all.
func RaceKnows() { race.Run.AcquireAll(race.Run.Now()) }
