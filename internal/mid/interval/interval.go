// Package interval finds between which two numbers an integer of a function lies.
//
// An Analysis answers for a value in a block. What a value can be follows from the instruction that
// computes it, and from the comparisons on the way to the block. A counter of a loop is bounded by
// what it starts with, by the direction of its steps, and by the comparisons around them: a step
// that could wrap takes everything back. A value that is not understood can be all that its type
// has. uint, uint64 and uintptr are known only below 1<<63.
//
// LLVM has such an analysis, which does not go round loops: a counter is any number to it where
// more is asked than whether two of them are in order.
package interval

import (
	"go/types"
	"math"
	"math/bits"
)

// Interval is the numbers from Lo to Hi, both included. Lo is never above Hi.
type Interval struct{ Lo, Hi int64 }

// natural is what lengths and the like can be.
var natural = Interval{0, math.MaxInt64}

// all returns what an integer of type t can be. It does not know the types that have more than an
// int64 holds, nor what is no integer.
func all(t types.Type) (Interval, bool) {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	if !ok {
		return Interval{}, false
	}
	switch b.Kind() {
	case types.Int, types.Int64:
		return Interval{math.MinInt64, math.MaxInt64}, true
	case types.Int32:
		return Interval{math.MinInt32, math.MaxInt32}, true
	case types.Int16:
		return Interval{math.MinInt16, math.MaxInt16}, true
	case types.Int8:
		return Interval{math.MinInt8, math.MaxInt8}, true
	case types.Uint32:
		return Interval{0, math.MaxUint32}, true
	case types.Uint16:
		return Interval{0, math.MaxUint16}, true
	case types.Uint8:
		return Interval{0, math.MaxUint8}, true
	}
	return Interval{}, false
}

// isWide reports whether t is an unsigned type that all does not know.
func isWide(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0 && (b.Kind() == types.Uint || b.Kind() == types.Uint64 || b.Kind() == types.Uintptr)
}

// within reports whether y has all of x.
func (x Interval) within(y Interval) bool { return y.Lo <= x.Lo && x.Hi <= y.Hi }

// union is the least interval that has both.
func (x Interval) union(y Interval) Interval {
	return Interval{min(x.Lo, y.Lo), max(x.Hi, y.Hi)}
}

// cut is what is in both. Where nothing is, control does not come: x will do.
func (x Interval) cut(y Interval) Interval {
	both := Interval{max(x.Lo, y.Lo), min(x.Hi, y.Hi)}
	if both.Lo > both.Hi {
		return x
	}
	return both
}

// add returns what sums can be; false if one is no int64.
func (x Interval) add(y Interval) (Interval, bool) {
	lo, ok := addInt(x.Lo, y.Lo)
	hi, ok2 := addInt(x.Hi, y.Hi)
	return Interval{lo, hi}, ok && ok2
}

// neg returns what -x can be; false if that is no int64.
func (x Interval) neg() (Interval, bool) {
	return Interval{-x.Hi, -x.Lo}, x.Lo != math.MinInt64
}

// mul returns what products can be; false if one is no int64.
func (x Interval) mul(y Interval) (Interval, bool) {
	var r Interval
	for i, p := range [][2]int64{{x.Lo, y.Lo}, {x.Lo, y.Hi}, {x.Hi, y.Lo}, {x.Hi, y.Hi}} {
		n, ok := mulInt(p[0], p[1])
		if !ok {
			return Interval{}, false
		}
		if i == 0 {
			r = Interval{n, n}
		}
		r = r.union(Interval{n, n})
	}
	return r, true
}

// quo returns what quotients can be; false if y may be negative. It is not zero where there is one.
func (x Interval) quo(y Interval) (Interval, bool) {
	if y.Lo < 0 || y.Hi == 0 {
		return Interval{}, false
	}
	least := max(y.Lo, 1)
	return Interval{min(x.Lo/y.Hi, x.Lo/least), max(x.Hi/y.Hi, x.Hi/least)}, true
}

// rem returns what remainders can be; false if y may be the least number. It is not zero where
// there is one.
func (x Interval) rem(y Interval) (Interval, bool) {
	most := max(y.Hi, -y.Lo) - 1
	if y.Lo == math.MinInt64 || most < 0 {
		return Interval{}, false
	}
	// Of x's sign, and no farther from zero than x.
	return Interval{max(min(x.Lo, 0), -most), min(max(x.Hi, 0), most)}, true
}

// and returns what x&y can be: where one is not negative, nothing above it.
func (x Interval) and(y Interval) (Interval, bool) {
	switch {
	case x.Lo >= 0 && y.Lo >= 0:
		return Interval{0, min(x.Hi, y.Hi)}, true
	case x.Lo >= 0:
		return Interval{0, x.Hi}, true
	case y.Lo >= 0:
		return Interval{0, y.Hi}, true
	}
	return Interval{}, false
}

// or returns what x|y and x^y can be, if neither is negative: no bit above the highest.
func (x Interval) or(y Interval) (Interval, bool) {
	if x.Lo < 0 || y.Lo < 0 {
		return Interval{}, false
	}
	return Interval{0, 1<<bits.Len64(uint64(x.Hi|y.Hi)) - 1}, true
}

// andNot returns what x&^y can be, if x is not negative.
func (x Interval) andNot() (Interval, bool) {
	return Interval{0, x.Hi}, x.Lo >= 0
}

// shr returns what x>>n can be. n is not negative where there is a result.
func (x Interval) shr(n Interval) (Interval, bool) {
	least, most := min(max(n.Lo, 0), 63), min(max(n.Hi, 0), 63)
	return Interval{min(x.Lo>>least, x.Lo>>most), max(x.Hi>>least, x.Hi>>most)}, true
}

// shl returns what x<<n can be; false if that may lose bits.
func (x Interval) shl(n Interval) (Interval, bool) {
	if n.Lo < 0 || n.Hi > 62 {
		return Interval{}, false
	}
	return x.mul(Interval{1 << n.Lo, 1 << n.Hi})
}

func addInt(x, y int64) (int64, bool) {
	sum := x + y
	return sum, (x > sum) == (y < 0)
}

func mulInt(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	// The high word of the signed product.
	high := int64(hi) - x>>63&y - y>>63&x
	return int64(lo), high == int64(lo)>>63
}
