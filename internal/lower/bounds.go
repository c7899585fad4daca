package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// The upper bound of s[:hi] is checked against the capacity, of which LLVM knows nothing: not even
// that it is not below the length. Where hi is below the length unless it is negative, the length
// says the same as the capacity, and LLVM often knows that hi is below it: s[:len(s)-1] behind
// s[len(s)-1] has no check of its own.

// limit returns what to hold in.High against, in a slice of that length and capacity, and how.
func (b *checks) limit(in *mid.Slice, length, capacity ir.Value) (ir.Value, ir.Pred) {
	if _, ok := under(in.X.Type()).(*types.Slice); ok && in.High != nil && plan.BelowLength(in, b.isWritten) {
		return length, ir.ULT
	}
	return capacity, ir.ULE
}
