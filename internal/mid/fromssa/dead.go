package fromssa

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"

	"loam/internal/mid"
)

// What a constant condition excludes is no part of a body: the standard library asks whether there
// is a race detector, which system this is, whether another cryptography is linked. gc does not
// count what is excluded when it looks for small functions, nor does it number literals there.

// live tells by index which blocks of f control can get to; nil for all.
func live(f *ssa.Function) []bool {
	decided := false
	for _, b := range f.Blocks {
		if taken(b) >= 0 {
			decided = true
			break
		}
	}
	if !decided {
		return nil
	}
	seen := make([]bool, len(f.Blocks))
	work := []*ssa.BasicBlock{f.Blocks[0]}
	if f.Recover != nil {
		work = append(work, f.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b.Index] {
			continue
		}
		seen[b.Index] = true
		if i := taken(b); i >= 0 {
			work = append(work, b.Succs[i])
		} else {
			work = append(work, b.Succs...)
		}
	}
	return seen
}

// taken is the index of the successor that b always goes to although it asks, -1 if there is none.
func taken(b *ssa.BasicBlock) int {
	if len(b.Instrs) == 0 {
		return -1
	}
	in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return -1
	}
	c, ok := in.Cond.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Bool {
		return -1
	}
	if constant.BoolVal(c.Value) {
		return 0
	}
	return 1
}

// entries are the places among b's predecessors, and the edges of its phis, that control comes
// from.
func entries(b *ssa.BasicBlock, live []bool) (list []int) {
	passed := map[*ssa.BasicBlock]int{} // edges from a block to b so far
	for i, p := range b.Preds {
		n := passed[p]
		passed[p]++
		if live[p.Index] && (taken(p) < 0 || taken(p) == successor(p, b, n)) {
			list = append(list, i)
		}
	}
	return list
}

// successor is the index of p's nth edge to b among p's successors.
func successor(p, b *ssa.BasicBlock, n int) int {
	for i, s := range p.Succs {
		if s == b {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

// literals are those of f, but for literals that only dead code makes.
func literals(f *ssa.Function) []*ssa.Function {
	if len(f.AnonFuncs) == 0 {
		return nil
	}
	live := live(f)
	if live == nil {
		return f.AnonFuncs
	}
	dead := map[*ssa.Function]bool{}
	mark := func(of, as bool) {
		for _, b := range f.Blocks {
			if live[b.Index] != of {
				continue
			}
			var buf [8]*ssa.Value
			for _, in := range b.Instrs {
				for _, op := range in.Operands(buf[:0]) {
					if g, ok := (*op).(*ssa.Function); ok && g.Parent() == f {
						dead[g] = as
					}
				}
			}
		}
	}
	mark(false, true)
	mark(true, false)
	var list []*ssa.Function
	for _, g := range f.AnonFuncs {
		if !dead[g] {
			list = append(list, g)
		}
	}
	return list
}

// fuse has blocks take up those that only they lead to, which are nobody's but the jump's.
func (m *body) fuse(recover *mid.Block) {
	gone := map[mid.Instr]bool{}
	taken := map[*mid.Block]bool{}
	for _, b := range m.blocks {
		if b == nil || taken[b] {
			continue
		}
		for len(b.Succs) == 1 {
			s := b.Succs[0]
			if len(s.Preds) != 1 || s == b || s == recover || s.Role != mid.Plain || isPhi(s.Instrs[0]) {
				break
			}
			gone[b.Instrs[len(b.Instrs)-1]] = true
			b.SetInstrs(append(b.Instrs, s.Instrs...))
			b.Succs, taken[s] = s.Succs, true
			for _, next := range s.Succs {
				next.Preds[slices.Index(next.Preds, s)] = b
			}
		}
	}
	var blocks []*mid.Block
	for _, b := range m.blocks {
		if b != nil && !taken[b] {
			blocks = append(blocks, b)
		}
	}
	m.f.SetBody(blocks, recover)
	m.f.Delete(gone)
}

func isPhi(in mid.Instr) bool {
	_, ok := in.(*mid.Phi)
	return ok
}
