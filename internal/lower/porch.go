package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
)

// Porches: blocks that are between others and one that they lead to.

// maxEntrances is how many ways may lead to a block of a huge function directly. With more, they
// come in groups through porches: LLVM looks through all operands of a phi for each block that
// leads to it, and 5,000 cases of a switch in a loop are as many operands for each variable.
const maxEntrances = 64

// A porch is a block that leads to another one from some of those before it.
type porch struct {
	*ir.Block
	ways int
}

// entrance is where to begins for the way there from a block. It is asked for each way once or
// more.
func (b *branches) entrance(from, to *mid.Block) *ir.Block {
	latch := to.Dominates(from) && b.plan.HasLatch(to)
	if !latch && !(b.plan.Huge && len(to.Preds) > 4*maxEntrances) {
		return b.blocks[to]
	}
	way := [2]*mid.Block{from, to}
	if p := b.porches[way]; p != nil {
		return p.Block
	}
	p := b.newest[to]
	if p == nil || !latch && p.ways == maxEntrances {
		label := "porch"
		if latch {
			label = "latch"
		}
		p = &porch{Block: b.Label(label)}
		saved := b.Cur
		b.Cur = p.Block
		if !latch {
			b.AsmWith(ir.Asm{}, plainCall, ir.Void) // or LLVM takes the empty block away
		}
		b.Br(b.blocks[to])
		b.Cur = saved
		if b.porches == nil {
			b.porches, b.newest = map[[2]*mid.Block]*porch{}, map[*mid.Block]*porch{}
		}
		b.newest[to] = p
	}
	p.ways++
	b.porches[way] = p
	return p.Block
}

// throughPorches replaces the edges that enter blk by a porch by one for each porch, where a phi
// has what they bring. ways has the block before each edge.
func (b *branches) throughPorches(blk *mid.Block, ll *ir.Type, edges []ir.Edge, ways []*mid.Block) []ir.Edge {
	if b.newest[blk] == nil {
		return edges
	}
	var direct []ir.Edge
	var order []*porch
	grouped := map[*porch][]ir.Edge{}
	for i, e := range edges {
		p := b.porches[[2]*mid.Block{ways[i], blk}]
		if p == nil {
			direct = append(direct, e)
			continue
		}
		if grouped[p] == nil {
			order = append(order, p)
		}
		grouped[p] = append(grouped[p], e)
	}
	for _, p := range order {
		v := b.Fresh(ll)
		b.phi(p.Block, v, grouped[p])
		direct = append(direct, ir.Edge{Value: v, From: p.Block})
	}
	return direct
}
