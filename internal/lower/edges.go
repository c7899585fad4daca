package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
)

// branches is code of several blocks.
type branches struct {
	*deferrals
	exits  map[*mid.Block]*ir.Block    // LLVM block in which an SSA block ends
	edges  map[[2]*mid.Block]*ir.Block // LLVM blocks between SSA blocks, if there is one
	missed map[*mid.Block]*ir.Block    // of type chains: where their last tests lead that fail

	porches map[[2]*mid.Block]*porch // see entrance: by the way
	newest  map[*mid.Block]*porch    // by where it leads
}

func newBranches(d *deferrals) *branches {
	return &branches{deferrals: d, exits: map[*mid.Block]*ir.Block{}}
}

// namePhis gives every phi its name before any use is lowered. A big phi is a slot.
func (b *branches) namePhis(order []*mid.Block) {
	for _, blk := range order {
		for _, in := range blk.Instrs {
			p, ok := in.(*mid.Phi)
			if !ok {
				break
			}
			if ti := b.m.info(p.Type()); ti.big {
				b.vals[p] = b.Alloca(ti.size, ti.align)
			} else {
				b.vals[p] = ir.NamedValue(p.Name(), ti.ll)
			}
		}
	}
}

// bigPhis returns the phis of s that are slots.
func (b *branches) bigPhis(s *mid.Block) (phis []*mid.Phi) {
	for _, in := range s.Instrs {
		p, ok := in.(*mid.Phi)
		if !ok {
			break
		}
		if b.m.isBig(p.Type()) {
			phis = append(phis, p)
		}
	}
	return phis
}

// bigPhiCopies assigns the big phis of s on the way there from blk. If there are several, their
// operands go through slots of their own, because the phis of a block are assigned all at once.
func (b *branches) bigPhiCopies(blk, s *mid.Block) {
	phis := b.bigPhis(s)
	if len(phis) == 0 {
		return
	}
	k := predIndex(s, blk)
	src := make([]ir.Value, len(phis))
	for i, p := range phis {
		src[i] = b.operand(p.Edges[k])
		if len(phis) > 1 {
			ti := b.m.info(p.Type())
			t := b.Alloca(ti.size, ti.align)
			b.copyMem(t, src[i], ti)
			src[i] = t
		}
	}
	for i, p := range phis {
		b.copyMem(b.vals[p], src[i], b.m.info(p.Type()))
	}
}

// branch ends blk with a branch to one of two successors. Big phis are assigned on the way to
// theirs: the other way may lead to uses of what they were before.
func (b *branches) branch(blk *mid.Block, cond ir.Value) {
	var to [2]*ir.Block
	for i, s := range blk.Succs {
		to[i] = b.entrance(blk, s)
		switch {
		case i == 1 && b.missed[blk] != nil:
			to[i] = b.missed[blk]
		case len(b.bigPhis(s)) == 0:
		case blk.Succs[0] != blk.Succs[1]:
			to[i] = b.edge(blk, i)
		case i == 0:
			b.bigPhiCopies(blk, s)
		}
	}
	b.CondBr(cond, to[0], to[1])
}

func predIndex(s, pred *mid.Block) int {
	for i, p := range s.Preds {
		if p == pred {
			return i
		}
	}
	panic("lower: not a predecessor")
}

// emitPhis writes the phis, now that the blocks in which their predecessors end are known.
func (b *branches) emitPhis(order []*mid.Block) {
	for _, blk := range order {
		for _, in := range blk.Instrs {
			p, ok := in.(*mid.Phi)
			if !ok {
				break
			}
			ti := b.m.info(p.Type())
			if ti.big {
				continue
			}
			var edges []ir.Edge
			var ways []*mid.Block
			for i, e := range p.Edges {
				from := b.edges[[2]*mid.Block{blk.Preds[i], blk}]
				if from == nil {
					from = b.exits[blk.Preds[i]]
				}
				if from == nil { // of a long chain, a test for a constant that an earlier one has found
					continue
				}
				edges = append(edges, ir.Edge{Value: b.edgeOperand(p, i, e), From: from})
				ways = append(ways, blk.Preds[i])
			}
			b.phi(b.blocks[blk], b.vals[p], b.throughPorches(blk, ti.ll, edges, ways))
		}
	}
}

// edge makes a block that jumps to a successor of blk, for the phis of that successor, and returns
// it.
func (b *branches) edge(blk *mid.Block, succ int) *ir.Block {
	to := blk.Succs[succ]
	k := b.Label("case")
	if b.edges == nil {
		b.edges = map[[2]*mid.Block]*ir.Block{}
	}
	b.edges[[2]*mid.Block{blk, to}] = k
	saved := b.Cur
	b.Cur = k
	b.bigPhiCopies(blk, to)
	b.Br(b.entrance(blk, to))
	b.Cur = saved
	return k
}
