package sched

import (
	"sync/atomic"
	_ "unsafe" // for go:linkname
)

// What the owners of the timer heaps and the poller provide (docs/concepts.md).

const never = 1<<63 - 1

//go:linkname timerRun loam/rt/timer.Run
func timerRun(p int32, now int64) (next int64)

//go:linkname timerShrink loam/rt/timer.Shrink
func timerShrink(n int32) (next int64)

//go:linkname timerNextAll loam/rt/timer.NextAll
func timerNextAll() int64

//go:linkname timerRest loam/rt/timer.Rest
func timerRest(p int32)

//go:linkname timerFilled loam/rt/timer.Filled
func timerFilled(i int32) int32

// timerHeaps is rt/timer's HeapCount: the Ps whose numbers differ by it share a heap.
const timerHeaps = 256

//go:linkname timerLen loam/rt/timer.Len
func timerLen(p int32) int32

//go:linkname netPoll loam/rt/netpoll.Poll
func netPoll(delay int64) *G

//go:linkname netBreak loam/rt/netpoll.Break
func netBreak()

//go:linkname netWaiters loam/rt/netpoll.Waiters
func netWaiters() int32

func setTimerNext(p *P, t int64) {
	if t == never {
		t = 0
	}
	atomic.StoreInt64(&p.timers.next, t)
}
