package main

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// times counts how long requests took, by buckets that are at most a 64th wide. Its memory does not
// grow with their number: the faster of two programs makes more requests in its time, and a list of
// them would count against its peak.
type times struct {
	counts [(65 - bucketBits) << bucketBits]atomic.Uint32
}

const bucketBits = 6

func (t *times) add(d time.Duration) { t.counts[bucketOf(uint64(max(d, 0)))].Add(1) }

// bucketOf is ns itself while that is below twice 1<<bucketBits. Above it has its topmost bits: one
// more than bucketBits, of which the first is always set, behind the number of the others.
func bucketOf(ns uint64) int {
	shift := max(bits.Len64(ns)-bucketBits-1, 0)
	return shift<<bucketBits + int(ns>>shift)
}

// middleOf is the middle of what the bucket counts.
func middleOf(bucket int) float64 {
	shift := max(bucket>>bucketBits-1, 0)
	least := uint64(bucket-shift<<bucketBits) << shift
	return float64(least) + float64(uint64(1)<<shift-1)/2
}

func (t *times) number() (n int) {
	for i := range t.counts {
		n += int(t.counts[i].Load())
	}
	return n
}

// within is the time within which that many requests were answered, and the next one.
func (t *times) within(n int) float64 {
	for i := range t.counts {
		if n -= int(t.counts[i].Load()); n < 0 {
			return middleOf(i)
		}
	}
	return 0
}
