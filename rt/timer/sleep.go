package timer

import (
	"unsafe"

	"loam/rt/park"
)

// A sleeper is a goroutine in time.Sleep; it is on that goroutine's stack.
type sleeper struct {
	t    Timer // first: Fire gets its address
	g    *park.G
	when int64
}

// SleepFor blocks the running goroutine for at least ns nanoseconds.
//
//loam:clear
func SleepFor(ns int64) {
	if ns <= 0 {
		return
	}
	var s sleeper
	now := park.Clock()
	if s.t.Settle() {
		now = park.CurBubble().Now
	}
	when := now + ns
	if when < 0 {
		when = Never - 1
	}
	s.t.Fire = wakeSleeper
	s.g = park.Cur()
	s.when = when
	park.Park(startSleeper, unsafe.Pointer(&s), park.Sleep)
}

// startSleeper runs when the goroutine is parked, so that a timer that fires at
// once finds it so.
func startSleeper(arg unsafe.Pointer) bool {
	s := (*sleeper)(arg)
	s.t.Start(s.when, 0)
	return true
}

func wakeSleeper(t *Timer, now, late int64) {
	park.Ready((*sleeper)(unsafe.Pointer(t)).g)
}
