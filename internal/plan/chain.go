package plan

import (
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// Long chains of comparisons with constants, which is what becomes of a switch.

// longChain is how many comparisons make it worth while.
const longChain = 64

// TestOf returns the operand and the constant that the last instructions of blk compare to branch.
func TestOf(blk *mid.Block) (x mid.Value, value constant.Value) {
	n := len(blk.Instrs)
	if n < 2 {
		return nil, nil
	}
	branch, ok := blk.Instrs[n-1].(*mid.If)
	if !ok || blk.Succs[0] == blk.Succs[1] {
		return nil, nil
	}
	cmp, ok := branch.Cond.(*mid.BinOp)
	if !ok || cmp.Op != token.EQL || blk.Instrs[n-2] != mid.Instr(cmp) || len(cmp.Referrers()) != 1 {
		return nil, nil
	}
	c, ok := cmp.Y.(*mid.Const)
	x = cmp.X
	if !ok {
		c, ok = cmp.X.(*mid.Const)
		x = cmp.Y
	}
	if !ok || c.Value == nil {
		return nil, nil
	}
	if _, both := x.(*mid.Const); both {
		return nil, nil
	}
	if t, ok := under(x.Type()).(*types.Basic); !ok || t.Info()&(types.IsInteger|types.IsString) == 0 {
		return nil, nil
	}
	return x, c.Value
}

// findChains finds the long chains. The blocks of a chain behind its first hold nothing but their
// comparison.
func (p *Func) findChains() {
	for _, head := range p.f.DomPreorder() {
		x, value := TestOf(head)
		if x == nil || p.Chained[head] {
			continue
		}
		tests := []Test{{head, value}}
		for blk := head.Succs[1]; len(blk.Preds) == 1 && len(blk.Instrs) == 2 && blk != p.f.Recover() && !p.linksAtEnd(blk); blk = blk.Succs[1] {
			y, value := TestOf(blk)
			if y != x {
				break
			}
			tests = append(tests, Test{blk, value})
		}
		if len(tests) < longChain {
			continue
		}
		if p.Chains == nil {
			p.Chains, p.Chained = map[*mid.Block][]Test{}, map[*mid.Block]bool{}
		}
		p.Chains[head] = tests
		for _, t := range tests[1:] {
			p.Chained[t.Block] = true
		}
	}
}

// linksAtEnd reports whether the end of blk is where the frame of deferred calls is linked.
func (p *Func) linksAtEnd(blk *mid.Block) bool {
	return p.Defers.Framed() && p.Defers.Link == blk.Instrs[len(blk.Instrs)-1]
}
