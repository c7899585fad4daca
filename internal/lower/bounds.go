package lower

import (
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// The upper bound of s[:hi] is checked against the capacity, of which LLVM knows nothing: not even
// that it is not below the length. Where hi is below the length unless it is negative, the length
// says the same as the capacity, and LLVM often knows that hi is below it: s[:len(s)-1] behind
// s[len(s)-1] has no check of its own.

// maxUses bounds how many uses of a value are looked at.
const maxUses = 64

// limit returns what to hold in.High against, in a slice of that length and capacity, and how.
func (b *checks) limit(in *mid.Slice, length, capacity ir.Value) (ir.Value, ir.Pred) {
	if _, ok := under(in.X.Type()).(*types.Slice); ok && in.High != nil && b.belowLength(in) {
		return length, ir.ULT
	}
	return capacity, ir.ULE
}

// belowLength tells whether in.High is negative or less than the length of in.X, because it is that
// length less something, or because every way to in has asked.
func (b *checks) belowLength(in *mid.Slice) bool {
	hi := in.High
	if sum, ok := hi.(*mid.BinOp); ok && sum.Op == token.SUB && mid.IsLen(sum.X, in.X) {
		if c, ok := sum.Y.(*mid.Const); ok && constant.Sign(c.Value) > 0 {
			return true
		}
	}
	uses := hi.Referrers()
	if len(uses) > maxUses {
		return false
	}
	for _, use := range uses {
		switch use := use.(type) {
		case *mid.IndexAddr:
			if use.X == in.X && use.Index == hi && !b.unevaluated[use] && !b.m.skip[use] && escape.Before(use, in) {
				return true
			}
		case *mid.BinOp:
			if comparesLength(use, hi, in.X) && decidedBefore(use, in) {
				return true
			}
		}
	}
	return false
}

// comparesLength tells whether op is i < len(s).
func comparesLength(op *mid.BinOp, i, s mid.Value) bool {
	switch op.Op {
	case token.LSS:
		return op.X == i && mid.IsLen(op.Y, s)
	case token.GTR:
		return op.Y == i && mid.IsLen(op.X, s)
	}
	return false
}

// decidedBefore tells whether every way to in leads through a branch that cond, which held, took.
func decidedBefore(cond *mid.BinOp, in mid.Instr) bool {
	for _, use := range cond.Referrers() {
		if _, ok := use.(*mid.If); !ok {
			continue
		}
		to := use.Block().Succs[0]
		if len(to.Preds) == 1 && to != use.Block().Succs[1] && to.Dominates(in.Block()) {
			return true
		}
	}
	return false
}
