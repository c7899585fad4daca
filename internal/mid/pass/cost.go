package pass

import (
	"go/token"

	"loam/internal/escape"
	"loam/internal/mid"
)

// What a function costs where it is inlined, in gc's measure: nodes of its tree, where a call that
// is not inlined itself counts as 57 more, and one of a parameter, which may turn out to be
// a literal, as 17. An instruction is an operator, and a node; its operands
// are nodes, too, unless they are instructions that nothing else uses.

const (
	callCost  = 57
	paramCost = 17
	loopCost  = 5       // what a loop over a slice or an array has, without its body
	tooMuch   = 1 << 30 // of what is not inlined
)

// cost returns what f costs, given its callees' costs.
func (w *inliner) cost(f *mid.Func) int {
	if !f.HasBody() || inGeneric(f) || w.stays(f) {
		return tooMuch
	}
	n, limit := 0, maxCost
	if w.mayBeHot(f) {
		limit = maxHot
	}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			n += w.costOf(f, in)
		}
		if n > limit {
			return tooMuch
		}
	}
	return n
}

// costOf is what one instruction of f adds.
func (w *inliner) costOf(f *mid.Func, in mid.Instr) int {
	n := 1
	if in.Block().Role == mid.RangeHead {
		if _, ok := in.(*mid.If); ok {
			return loopCost
		}
		return 0
	}
	switch in := in.(type) {
	case *mid.Jump, *mid.Phi, *mid.Extract, *mid.ChangeType:
		return 0
	case *mid.Alloc:
		if spillOf(in) != nil {
			return 0
		}
	case *mid.Store:
		if a, ok := in.Addr.(*mid.Alloc); ok && spillOf(a) == in {
			return 0
		}
	case *mid.UnOp:
		if in.Op == token.MUL && isPlace(in.X) {
			return 0 // the place is the node
		}
	case *mid.BinOp:
		if caseOf(in) != nil && laterCase(in) {
			return 1 // the constant
		}
	case *mid.If:
		if op, ok := in.Cond.(*mid.BinOp); ok && caseOf(op) != nil && laterCase(op) {
			return 0
		}
	case *mid.Call:
		if rangesOver(in) {
			return 0
		}
		switch callee, _ := known(in.Call.Value, in); {
		case in.Call.IsInvoke():
			n += callCost
		case callee != nil && w.in.Expands != nil && w.in.Expands(callee):
		case callee != nil && w.mayJoin(f, callee) && w.sees(f, in, callee) && (w.isSmall(callee, 0) || w.joinsHot(f, in, callee, 0)):
			n += w.seen[callee].cost
		default:
			switch plain(in.Call.Value).(type) {
			case *mid.Builtin:
			case *mid.Parameter:
				n += paramCost
			default:
				n += callCost
			}
		}
	}
	var buf [8]*mid.Value
	for _, op := range in.Operands(buf[:0]) {
		if *op == nil {
			continue
		}
		if r, ok := (*op).(mid.Register); ok && len(r.Referrers()) == 1 {
			continue
		}
		n++
	}
	return n
}

// rangesOver reports whether in is the length that a loop over a slice asks for.
func rangesOver(in *mid.Call) bool {
	refs := in.Referrers()
	if len(refs) != 1 || refs[0].Block().Role != mid.RangeHead {
		return false
	}
	return in.Call.Builtin() == mid.BuiltinLen
}

// spillOf returns the store that sets a, the variable of a parameter, as f is entered; nil if a is
// none.
func spillOf(a *mid.Alloc) *mid.Store {
	for _, r := range a.Referrers() {
		if s, ok := r.(*mid.Store); ok && s.Addr == mid.Value(a) {
			if _, ok := s.Val.(*mid.Parameter); ok && s.Block().Index == 0 && !s.Pos().IsValid() {
				return s
			}
		}
	}
	return nil
}

// isPlace reports whether v is the address of a field or an element that is used once.
func isPlace(v mid.Value) bool {
	switch v := v.(type) {
	case *mid.FieldAddr:
		return len(v.Referrers()) == 1
	case *mid.IndexAddr:
		return len(v.Referrers()) == 1
	}
	return false
}

// caseOf returns what op holds against a constant for its block's branch, as a switch's cases do;
// nil if it does something else.
func caseOf(op *mid.BinOp) mid.Value {
	if _, ok := op.Y.(*mid.Const); !ok || op.Op != token.EQL || len(op.Referrers()) != 1 {
		return nil
	}
	if branch, ok := op.Referrers()[0].(*mid.If); !ok || branch.Block() != op.Block() {
		return nil
	}
	return op.X
}

// laterCase reports whether the branch before op's failed to find another constant in the same
// value.
func laterCase(op *mid.BinOp) bool {
	b := op.Block()
	if len(b.Preds) != 1 || b.Preds[0].Succs[len(b.Preds[0].Succs)-1] != b {
		return false
	}
	before := b.Preds[0].Instrs
	branch, ok := before[len(before)-1].(*mid.If)
	if !ok {
		return false
	}
	first, ok := branch.Cond.(*mid.BinOp)
	return ok && caseOf(first) == op.X
}

// stays reports whether calls of f stay calls, whatever it costs.
func (w *inliner) stays(f *mid.Func) bool {
	if f.Recover() != nil || f.IsMethodExpr() || escape.IsSpecial(f) || w.in.Stays != nil && w.in.Stays(f) && !w.asks(f) {
		return true
	}
	for _, text := range []string{"//go:noinline", "//go:uintptrescapes", "//go:uintptrkeepalive", "//go:cgo_unsafe_args"} {
		if f.HasDirective(text) {
			return true
		}
	}
	returns := false
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *mid.Return:
				returns = true
			case *mid.Defer, *mid.RunDefers, *mid.Go, *mid.Select:
				return true
			case *mid.Call:
				if id := in.Call.Builtin(); id == mid.BuiltinRecover || id == mid.BuiltinDeferStack {
					return true
				}
			}
		}
	}
	return !returns
}
