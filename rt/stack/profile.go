package stack

import (
	"sync/atomic"

	"loam/rt/buckets"
	"loam/rt/sys"
)

// The profile of hops: which functions did not fit into the segment their goroutine stood on, how
// often, and with which frames. Every hop counts, also the cheap one to a segment that is there
// already: a loop that calls across the end of a segment shows as one stack with a high count.

// hopProfile tells __morestack to take its slow path for every hop, and to report returns. Nobody
// else looks at it.
var hopProfile uint32

const (
	hopSlow    = 1
	hopReturns = 2
)

// counting is 1 while the profile is on.
var counting uint32

var hops buckets.Table

// ProfileHops starts or stops counting. What was counted stays. Any stack.
func ProfileHops(on bool) {
	if on {
		atomic.StoreUint32(&counting, 1)
		atomic.OrUint32(&hopProfile, hopSlow)
		return
	}
	atomic.StoreUint32(&counting, 0)
	if !Trace {
		atomic.AndUint32(&hopProfile, ^uint32(hopSlow))
	}
}

// ProfilingHops reports whether hops are counted.
func ProfilingHops() bool { return atomic.LoadUint32(&counting) != 0 }

// countHop counts a hop of the function whose prologue compared sp for a frame of so many bytes.
// System stack.
//
// Below sp lies the frame record that __morestack has made, {caller's rbp, caller's return address}
// from sp - 8, and below that the return address into the prologue.
//
//go:noinline
func countHop(sp, frame uintptr) {
	var pcs [buckets.MaxDepth]uintptr
	pcs[0] = *(*uintptr)(sys.Ptr(sp - 24))
	n := 1
	for fp := sp - 8; fp != 0 && n < len(pcs); fp = *(*uintptr)(sys.Ptr(fp)) {
		pc := *(*uintptr)(sys.Ptr(fp + 8))
		if pc == 0 {
			break
		}
		if !sys.IsHopReturn(pc) {
			pcs[n] = pc
			n++
		}
	}
	hops.Add(0, pcs[:n], 1, int64(frame))
}

// ForEachHop calls f for each stack at whose inner end was a hop, with the function that hopped
// first; Sum is in bytes of frames. f must not allocate or block. Any stack.
func ForEachHop(f func(b *buckets.Bucket)) {
	sys.OnSystemStack(func() { hops.ForEach(f) })
}
