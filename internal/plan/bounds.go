package plan

import (
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/escape"
	"loam/internal/mid"
)

// NeverEmpty reports whether x[lo:hi] has an element wherever its checks pass: where the bounds are
// constants, or one and a constant make the other.
func NeverEmpty(in *mid.Slice) bool {
	if lo, ok := in.Low.(*mid.Const); ok {
		hi, ok := in.High.(*mid.Const)
		return ok && constant.Compare(lo.Value, token.LSS, hi.Value)
	}
	if in.Low != nil && movedFrom(in.High) == in.Low {
		return true
	}
	v := movedFrom(in.Low)
	if in.High == nil {
		return mid.IsLen(v, in.X)
	}
	return v != nil && v == in.High
}

// movedFrom returns the integer that v is with a constant added or taken away that is not zero, nil
// if v is nothing of the kind.
func movedFrom(v mid.Value) mid.Value {
	sum, ok := v.(*mid.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB || basicInfo(sum.Type())&types.IsInteger == 0 {
		return nil
	}
	if c, ok := sum.Y.(*mid.Const); !ok || constant.Sign(c.Value) == 0 {
		return nil
	}
	return sum.X
}

// BelowLength reports whether in.High is negative or less than the length of in.X, because it is
// that length less something, or because every way to in has asked.
func BelowLength(in *mid.Slice, written func(mid.Instr) bool) bool {
	hi := in.High
	if sum, ok := hi.(*mid.BinOp); ok && sum.Op == token.SUB && mid.IsLen(sum.X, in.X) {
		if c, ok := sum.Y.(*mid.Const); ok && constant.Sign(c.Value) > 0 {
			return true
		}
	}
	uses := hi.Referrers()
	if len(uses) > mid.MaxUses {
		return false
	}
	for _, use := range uses {
		switch use := use.(type) {
		case *mid.IndexAddr:
			if use.X == in.X && use.Index == hi && written(use) && escape.Before(use, in) {
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

// comparesLength reports whether op is i < len(s).
func comparesLength(op *mid.BinOp, i, s mid.Value) bool {
	switch op.Op {
	case token.LSS:
		return op.X == i && mid.IsLen(op.Y, s)
	case token.GTR:
		return op.Y == i && mid.IsLen(op.X, s)
	}
	return false
}

// decidedBefore reports whether every way to in leads through a branch that cond, which held, took.
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

// HasLatch reports whether the ways back to blk, the head of a loop, come together in a porch. LLVM
// keeps that of its own accord.
func (p *Func) HasLatch(blk *mid.Block) bool {
	if p.Huge || p.how.NoOptimize || !p.Shape.InLoop(blk) {
		return false
	}
	back := 0
	for _, pred := range blk.Preds {
		if blk.Dominates(pred) {
			back++
		}
		if back > maxWaysBack {
			return false
		}
	}
	return back > 1
}

// maxWaysBack is how many ways back a loop has at most that LLVM may take for loops in each other,
// one for each way (separateNestedLoop). It believes that the innermost repeats most, and the other
// ways, of which one may be the loop's most common turn, are seldom: code and registers are given
// accordingly. Such ways come together in a porch, the loop's latch.
const maxWaysBack = 7
