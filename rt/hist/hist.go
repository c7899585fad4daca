// Package hist counts durations in buckets, for runtime/metrics.
//
// There are four buckets to an octave from 64 nanoseconds to about 18 minutes, so a bucket's bounds
// are at most a quarter apart. Adding is an atomic increment; threads share a histogram.
package hist

import (
	"math/bits"
	"sync/atomic"
)

const (
	minExp = 6  // the shortest duration told apart from 0 is 1<<minExp
	maxExp = 40 // from 1<<maxExp on all are in the last bucket
	sub    = 4  // buckets an octave

	// Buckets is the number of buckets: durations below 0, which there are none of, those below 64
	// ns, and the others.
	Buckets = 2 + (maxExp-minExp)*sub
)

// Times is a histogram of durations in nanoseconds.
type Times [Buckets]uint64

// Add counts a duration. Any stack, signal handlers too.
func (t *Times) Add(nanos int64) { atomic.AddUint64(&t[bucket(nanos)], 1) }

// Read returns the count of bucket i.
func (t *Times) Read(i int) uint64 { return atomic.LoadUint64(&t[i]) }

func bucket(nanos int64) int {
	if nanos < 1<<minExp {
		return 1
	}
	e := bits.Len64(uint64(nanos)) - 1
	if e >= maxExp {
		return Buckets - 1
	}
	return 2 + (e-minExp)*sub + int(nanos>>(e-2))&(sub-1)
}

// Bound returns the lower bound of bucket i > 0 in nanoseconds, which is also the upper one of the
// bucket before.
func Bound(i int) uint64 {
	if i < 2 {
		return 0
	}
	width := uint64(1) << (minExp + (i-2)/sub)
	return width + width/sub*uint64((i-2)%sub)
}
