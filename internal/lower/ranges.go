package lower

import (
	"math"

	"loam/internal/mid"
	"loam/internal/mid/interval"
)

// rangeOf returns what v, an integer, can be in block at: all that an int64 holds if nothing is
// known.
func (b *checks) rangeOf(v mid.Value, at *mid.Block) interval.Interval {
	if i, ok := b.intervals.At(v, at); ok {
		return i
	}
	return interval.Interval{Lo: math.MinInt64, Hi: math.MaxInt64}
}
