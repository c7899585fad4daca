package plan

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// NeverNil reports whether v is the address of something that exists.
func NeverNil(v mid.Value) bool {
	switch v := v.(type) {
	case *mid.Alloc, *mid.Global, *mid.FieldAddr, *mid.IndexAddr, *mid.MakeClosure, *mid.Func:
		return true
	case *mid.FreeVar:
		return capturedVariable(v)
	case *mid.ChangeType:
		return NeverNil(v.X)
	}
	return false
}

// capturedVariable reports whether a free variable is the address of a captured variable,
// as all are but the receivers of bound methods and the like.
func capturedVariable(v *mid.FreeVar) bool {
	p := v.Parent()
	return p.Kind == mid.Declared || p.Kind == mid.LoopBody
}

// ComparedToNil is the value that is not nil if cond is as holds says; nil if that says nothing.
func ComparedToNil(cond mid.Value, holds bool) mid.Value {
	op, ok := cond.(*mid.BinOp)
	if !ok || !(op.Op == token.NEQ && holds || op.Op == token.EQL && !holds) {
		return nil
	}
	switch {
	case IsNil(op.Y):
		return op.X
	case IsNil(op.X):
		return op.Y
	}
	return nil
}

// IsNil reports whether v is the constant nil.
func IsNil(v mid.Value) bool {
	c, ok := v.(*mid.Const)
	return ok && c.Value == nil
}

// findAsked finds where pointers, func values and interfaces have to be asked whether they are nil:
// what uses them does not ask if each way to it has. LLVM would find that, too, but a check is a
// twentieth of the text that it has to read.
func (p *Func) findAsked() {
	solid := map[mid.Value][]*mid.Block{} // behind whose beginning, or whose check, a value is not nil
	for _, blk := range p.f.DomPreorder() {
		if p.Chained[blk] {
			continue
		}
		if v := saidOnTheWay(blk); v != nil {
			solid[v] = append(solid[v], blk)
		}
		for _, in := range blk.Instrs {
			v, goesOn := pointerOf(in)
			if v == nil || p.how.Data != nil && p.how.Data(in) {
				continue
			}
			if !NeverNil(v) && !slices.ContainsFunc(solid[v], func(by *mid.Block) bool { return by.Dominates(blk) }) {
				if p.Asked == nil {
					p.Asked = map[mid.Instr]bool{}
				}
				p.Asked[in] = true
			}
			if goesOn {
				solid[v] = append(solid[v], blk)
			}
		}
	}
}

// saidOnTheWay is the value of which the condition that alone leads to blk says that it is not nil;
// nil if there is none.
func saidOnTheWay(blk *mid.Block) mid.Value {
	if len(blk.Preds) != 1 {
		return nil
	}
	pred := blk.Preds[0]
	branch, ok := pred.Instrs[len(pred.Instrs)-1].(*mid.If)
	if !ok || pred.Succs[0] == pred.Succs[1] {
		return nil
	}
	return ComparedToNil(branch.Cond, pred.Succs[0] == blk)
}

// pointerOf is what in uses that may not be nil; nil if there is none. goesOn: what comes behind in
// may rely on that.
func pointerOf(in mid.Instr) (v mid.Value, goesOn bool) {
	pointer := func(x mid.Value) (mid.Value, bool) {
		if _, ok := under(x.Type()).(*types.Pointer); ok {
			return x, true
		}
		return nil, false
	}
	switch in := in.(type) {
	case *mid.FieldAddr:
		return in.X, true
	case *mid.IndexAddr:
		return pointer(in.X)
	case *mid.Slice:
		return pointer(in.X)
	case *mid.UnOp:
		if in.Op == token.MUL {
			return in.X, true
		}
	case *mid.Store:
		return in.Addr, true
	case *mid.Call:
		return calledValue(&in.Call), true
	case *mid.Go:
		return calledValue(&in.Call), false
	case *mid.Defer:
		return calledValue(&in.Call), false
	}
	return nil, false
}

// calledValue is the func value or interface by which c is made; nil if there is none.
func calledValue(c *mid.CallCommon) mid.Value {
	if c.Builtin() != mid.NoBuiltin || c.StaticCallee() != nil {
		return nil
	}
	return c.Value
}
