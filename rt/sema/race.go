package sema

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
)

// What the detector of data races is told of semaphores and condition variables, in programs that
// were built for it: who acquires knows what those knew who have released.

func raceAcquire(addr *uint32) {
	park.Pin()
	race.Run.Acquire(race.Run.Now(), uintptr(unsafe.Pointer(addr)))
	park.Unpin()
}

func raceRelease(addr *uint32) {
	park.Pin()
	race.Run.ReleaseMerge(race.Run.Now(), uintptr(unsafe.Pointer(addr)))
	park.Unpin()
}
