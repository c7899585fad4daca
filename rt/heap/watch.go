package heap

import "sync/atomic"

// Watch, if not nil, is told what the execution trace shows of the heap. It is set and cleared with
// the world stopped. It is called where the thing happens, with a P or (by threads without one) to
// be ignored; any stack, maybe with locks held. It does not allocate, collect or block.
var Watch func(e WatchEvent, a, b uint64)

// A WatchEvent is what Watch is called for. Its arguments are in parentheses.
type WatchEvent int

const (
	WatchStopping    WatchEvent = iota // the world stops next (what for: StopForMark and so on)
	WatchCycleBegin                    // a collection begins; world stopped
	WatchCycleEnd                      // its marking is over; world stopped
	WatchAssistBegin                   // a goroutine marks for its allocations, until:
	WatchAssistEnd                     //
	WatchSweepBegin                    // the P sweeps, until:
	WatchSweepEnd                      // (bytes swept, of these bytes that became free)
	WatchLive                          // the heap's size changed (bytes)
	WatchGoal                          // the goal changed (bytes)
)

// What the heap stops the world for.
const (
	StopForMark     = iota // marking begins
	StopForEnd             // it ends
	StopForSettings        // a setting changes
	StopForDump            // a heap dump is written
)

func watch(e WatchEvent, a, b uint64) {
	if w := Watch; w != nil {
		w(e, a, b)
	}
}

// Level returns the heap's size and goal, as WatchLive and WatchGoal report them. World stopped.
func Level() (live, goal uint64) { return atomic.LoadUint64(&cycle.live), goalInForce() }

// goalInForce is the size at which a collection should be over: all ones if none will come.
func goalInForce() uint64 {
	if cycle.pacer.Percent() < 0 && cycle.pacer.Limit() == noLimit {
		return 1<<64 - 1
	}
	if cycle.goal == 0 {
		return cycle.pacer.Goal()
	}
	return cycle.goal
}

// watchLive reports the heap's size.
func watchLive() {
	if Watch != nil {
		Watch(WatchLive, atomic.LoadUint64(&cycle.live), 0)
	}
}
