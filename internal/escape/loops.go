package escape

import (
	"go/token"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// loopVarPhi recognises the copy that is made of a variable of a 3-clause for loop
// (since Go 1.22 a new variable in each turn):
//
//	loop:  i = phi [outer, next]
//	       ...
//	post:  t = *i
//	       next = new T
//	       *next = t
//	       ...post statement, which uses next...
//	       jump loop
//
// The object next belongs to the turn that begins at the phi: the variable of the turn
// before is dead once t is loaded, if what follows up to the jump cannot look at it. The
// result is the phi, or nil if a is not such a copy or we cannot be sure.
func (g *graph) loopVarPhi(a *mid.Alloc) *mid.Phi {
	b := a.Block()
	if len(b.Succs) != 1 {
		return nil
	}
	head := b.Succs[0]
	if !head.Dominates(b) || shape.Of(g.fn).Head(b) != head {
		return nil
	}
	var phi *mid.Phi
	for _, r := range a.Referrers() {
		switch r := r.(type) {
		case *mid.Phi:
			if phi != nil || r.Block() != head {
				return nil
			}
			phi = r
		case *mid.Store:
			if r.Val == mid.Value(a) || r.Block() != b {
				return nil
			}
		case *mid.UnOp:
			if r.Block() != b {
				return nil
			}
		default:
			return nil
		}
	}
	if phi == nil || !allAllocs(phi) {
		return nil
	}
	after := false
	for _, instr := range b.Instrs {
		if instr == mid.Instr(a) {
			after = true
		} else if after && !harmlessAfter(instr, head, phi) {
			return nil
		}
	}
	return phi
}

// harmlessAfter reports whether instr, in the post statement, cannot touch the variable of
// the turn before: it accesses memory only through addresses that are visibly others.
func harmlessAfter(instr mid.Instr, head *mid.Block, phi *mid.Phi) bool {
	other := func(addr mid.Value) bool {
		switch addr := addr.(type) {
		case *mid.Alloc, *mid.Global:
			return true
		case *mid.Phi:
			return addr != phi && addr.Block() == head && allAllocs(addr)
		}
		return false
	}
	switch i := instr.(type) {
	case *mid.Alloc, *mid.BinOp, *mid.Jump:
		return true
	case *mid.UnOp:
		switch i.Op {
		case token.ARROW:
			return false
		case token.MUL:
			return other(i.X)
		}
		return true
	case *mid.Store:
		return other(i.Addr)
	}
	return false
}

func allAllocs(phi *mid.Phi) bool {
	for _, e := range phi.Edges {
		if _, ok := e.(*mid.Alloc); !ok {
			return false
		}
	}
	return true
}
