//go:build loam

package timer

import (
	_ "unsafe"

	"loam/rt/sys"
)

// What package time and others ask of the clock. (Timers with channels and
// functions are made in rt/channel.)

//go:linkname timeSleep time.Sleep
func timeSleep(ns int64) { SleepFor(ns) }

//go:linkname timeNow time.now
func timeNow() (sec int64, nsec int32, mono int64) {
	sec, nsec = sys.Walltime()
	return sec, nsec, sys.Nanotime()
}

//go:linkname timeRuntimeNow time.runtimeNow
func timeRuntimeNow() (sec int64, nsec int32, mono int64) { return timeNow() }

//go:linkname timeRuntimeNano time.runtimeNano
func timeRuntimeNano() int64 { return sys.Nanotime() }

//go:linkname timeRuntimeIsBubbled time.runtimeIsBubbled
func timeRuntimeIsBubbled() bool { return false }

//go:linkname runtimeNanotime runtime.nanotime
func runtimeNanotime() int64 { return sys.Nanotime() }

//go:linkname syncNanotime internal/sync.runtime_nanotime
func syncNanotime() int64 { return sys.Nanotime() }
