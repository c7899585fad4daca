package sys

import "sync/atomic"

// The shortest times are measured by the time stamp counter, which is read in a third of the time
// that the clock takes. How fast it counts is measured while the program runs.

// ticks relates the counter to the clock.
var ticks = struct {
	from     uint64 // the counter, and
	at       int64  // the clock when the process began
	nsEach   uint32 // atomic: nanoseconds a tick, in 1/2^tickShift
	measured bool   // nsEach is no guess
}{nsEach: 1 << tickShift * 2 / 5} // 2.5 GHz

const (
	tickShift = 24
	// longTicks is what longer times count as, half a minute or some.
	longTicks = 1 << 36
	// measureNs is how long the counter is watched. Two readings of the clock are off by 100 ns.
	measureNs = 2_000_000
)

// StartTicks begins to measure how fast the time stamp counter counts. First thread, once.
func StartTicks() { ticks.from, ticks.at = Rdtsc(), Nanotime() }

// MeasureTicks does so if enough time is over. Only one thread calls it, now and then.
func MeasureTicks() {
	if ticks.measured {
		return
	}
	ns := Nanotime() - ticks.at
	n := Rdtsc() - ticks.from
	if ns < measureNs || n == 0 || n >= longTicks || ns >= longTicks {
		return
	}
	if each := uint64(ns) << tickShift / n; each != 0 && each < 1<<27 { // a counter of 125 MHz or more
		atomic.StoreUint32(&ticks.nsEach, uint32(each))
	}
	ticks.measured = true
}

// SinceTick returns how many nanoseconds have passed since the counter was at tick: half a minute
// at most, which is also what a counter gives that was read on a CPU that is ahead. Any stack.
func SinceTick(tick uint64) int64 { return TicksNs(Rdtsc() - tick) }

// TicksNs returns how long so many ticks take, in nanoseconds; half a minute at most.
func TicksNs(n uint64) int64 {
	return int64(min(n, longTicks) * uint64(atomic.LoadUint32(&ticks.nsEach)) >> tickShift)
}
