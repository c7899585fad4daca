//go:build loam

package timer

import (
	_ "unsafe"

	"loam/rt/park"
	"loam/rt/sys"
)

// What package time and others ask of the clock. (Timers with channels and
// functions are made in rt/channel.)

//go:linkname timeSleep time.Sleep
func timeSleep(ns int64) { SleepFor(ns) }

//go:linkname timeNow time.now
func timeNow() (sec int64, nsec int32, mono int64) {
	sec, nsec = sys.WallClock()
	return sec, nsec, sys.Clock()
}

// In a bubble there is no monotonic time: times of inside and outside must not be
// compared by it.
//
//go:linkname timeRuntimeNow time.runtimeNow
func timeRuntimeNow() (sec int64, nsec int32, mono int64) {
	if b := park.CurBubble(); b != nil {
		return b.Now / 1e9, int32(b.Now % 1e9), 0
	}
	return timeNow()
}

//go:linkname timeRuntimeNano time.runtimeNano
func timeRuntimeNano() int64 {
	if b := park.CurBubble(); b != nil {
		return b.Now
	}
	return sys.Clock()
}

//go:linkname timeRuntimeIsBubbled time.runtimeIsBubbled
func timeRuntimeIsBubbled() bool { return park.CurBubble() != nil }

// cryptoNano is the clock that the FIPS 140 module measures entropy with.
//
//go:linkname cryptoNano crypto/internal/fips140deps/time.monoTime
func cryptoNano() int64 { return sys.Nanotime() }

//go:linkname runtimeNanotime runtime.nanotime
func runtimeNanotime() int64 { return sys.Clock() }

//go:linkname syncNanotime internal/sync.runtime_nanotime
func syncNanotime() int64 { return sys.Clock() }

// Tests of package time ask whether sleeps of about 1 ms can be relied on.
//
//go:linkname haveHighResSleep runtime.haveHighResSleep
var haveHighResSleep = true
