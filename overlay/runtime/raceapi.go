//go:build race

package runtime

import (
	"internal/abi"
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/sys"
)

// Package internal/race, which std uses, and testing asks for Errors.

//go:linkname race_Acquire internal/race.Acquire
func race_Acquire(p unsafe.Pointer) { raceAcquire(p) }

//go:linkname race_Release internal/race.Release
func race_Release(p unsafe.Pointer) {
	t := sys.AcquireM()
	race.Run.Release(raceActor(p), uintptr(p))
	raceUnpin(t)
}

//go:linkname race_ReleaseMerge internal/race.ReleaseMerge
func race_ReleaseMerge(p unsafe.Pointer) { raceRelease(p) }

//go:linkname race_Disable internal/race.Disable
func race_Disable() { race.Run.Ignore(race.Run.Now()) }

//go:linkname race_Enable internal/race.Enable
func race_Enable() { race.Run.Heed(race.Run.Now()) }

//go:linkname race_Read internal/race.Read
func race_Read(p unsafe.Pointer) { racetell(p, 1<<1) }

//go:linkname race_Write internal/race.Write
func race_Write(p unsafe.Pointer) { racetell(p, 1<<1|1) }

//go:linkname race_ReadPC internal/race.ReadPC
func race_ReadPC(p unsafe.Pointer, callerpc, pc uintptr) { raceFrom(callerpc, pc, p, 1<<1) }

//go:linkname race_WritePC internal/race.WritePC
func race_WritePC(p unsafe.Pointer, callerpc, pc uintptr) { raceFrom(callerpc, pc, p, 1<<1|1) }

//go:linkname race_ReadObjectPC internal/race.ReadObjectPC
func race_ReadObjectPC(t *abi.Type, p unsafe.Pointer, callerpc, pc uintptr) {
	raceFrom(callerpc, pc, p, t.Size_<<1)
}

//go:linkname race_WriteObjectPC internal/race.WriteObjectPC
func race_WriteObjectPC(t *abi.Type, p unsafe.Pointer, callerpc, pc uintptr) {
	raceFrom(callerpc, pc, p, t.Size_<<1|1)
}

// raceFrom is raceaccess for what the function at pc does, a map's, for the code at callerpc. The
// run-time system has maps of its own, under locks that the detector does not know.
func raceFrom(callerpc, pc uintptr, p unsafe.Pointer, what uintptr) {
	if !sched.InRunTime(callerpc) {
		raceAccessBy(race.Part(pc), p, what)
	}
}

//go:linkname race_ReadRange internal/race.ReadRange
func race_ReadRange(p unsafe.Pointer, n int) { racetell(p, uintptr(n)<<1) }

//go:linkname race_WriteRange internal/race.WriteRange
func race_WriteRange(p unsafe.Pointer, n int) { racetell(p, uintptr(n)<<1|1) }

// race_Errors is how many races were reported.
//
//go:linkname race_Errors internal/race.Errors
func race_Errors() int { return int(races.count.Load()) }

// What gc's package runtime has in a program built with -race.

func RaceRead(p unsafe.Pointer)              { race_Read(p) }
func RaceWrite(p unsafe.Pointer)             { race_Write(p) }
func RaceReadRange(p unsafe.Pointer, n int)  { race_ReadRange(p, n) }
func RaceWriteRange(p unsafe.Pointer, n int) { race_WriteRange(p, n) }
func RaceErrors() int                        { return race_Errors() }
func RaceAcquire(p unsafe.Pointer)           { race_Acquire(p) }
func RaceRelease(p unsafe.Pointer)           { race_Release(p) }
func RaceReleaseMerge(p unsafe.Pointer)      { race_ReleaseMerge(p) }
func RaceDisable()                           { race_Disable() }
func RaceEnable()                            { race_Enable() }
