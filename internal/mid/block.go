package mid

import "slices"

// Block is a sequence of instructions that run one after the other.
type Block struct {
	Index  int // in the function's list
	Role   Role
	Instrs []Instr // phis first; the last one is a Jump, If, Return or Panic
	Preds  []*Block
	Succs  []*Block // of an If: where to go if it holds, and if not

	parent   *Func
	idom     *Block
	domChild []*Block
	domPre   int
	domPost  int
}

// Role says what a block is in the construct of the source that it belongs to, where that
// matters.
type Role uint8

// The roles of blocks.
const (
	Plain        Role = iota
	RangeHead         // decides whether a loop over a slice, an array or a pointer to one goes on
	LogicEnd          // where && or || ends, as a value
	YieldInvalid      // panics: a loop body was called that must not be
	LoopBusy          // panics: an iterator has returned though the loop's body panicked
)

// Parent returns the function that b is a block of.
func (b *Block) Parent() *Func { return b.parent }

// Idom returns the block that dominates b immediately; nil for those where the function begins and
// where it goes on after a recovered panic.
func (b *Block) Idom() *Block { return b.idom }

// Dominates tells whether every way to c leads through b, as it does if they are the same.
func (b *Block) Dominates(c *Block) bool { return b.domPre <= c.domPre && c.domPost <= b.domPost }

// InLoop tells whether control gets from b to b again.
func (b *Block) InLoop() bool {
	seen := map[*Block]bool{}
	for work := slices.Clone(b.Succs); len(work) > 0; {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		if next == b {
			return true
		}
		if !seen[next] {
			seen[next] = true
			work = append(work, next.Succs...)
		}
	}
	return false
}

// DomPreorder returns f's blocks in preorder of the dominator tree.
func (f *Func) DomPreorder() []*Block {
	list := make([]*Block, len(f.Body()))
	for _, b := range f.blocks {
		list[b.domPre] = b
	}
	return list
}

// findDominators computes the dominator tree: by the algorithm of Cooper, Harvey and Kennedy, over
// the blocks in reverse postorder until nothing changes, which for Go's loops is after one round.
// All blocks must be reachable.
func (f *Func) findDominators() {
	n := len(f.blocks)
	if n == 0 {
		return
	}
	roots := f.blocks[:1:1]
	if f.recover != nil && f.recover != f.blocks[0] {
		roots = append(roots, f.recover)
	}
	preorder := make([]*Block, 0, n)
	number := make([]int, n) // in postorder, from 1
	count := 0
	postorder := make([]*Block, 0, n)
	seen := make([]bool, n)
	type visit struct {
		b    *Block
		next int
	}
	var path []visit
	enter := func(b *Block) {
		seen[b.Index] = true
		b.idom, b.domChild = nil, nil
		preorder = append(preorder, b)
		path = append(path, visit{b, 0})
	}
	for _, r := range roots {
		if !seen[r.Index] {
			enter(r)
		}
		for len(path) > 0 {
			v := &path[len(path)-1]
			if v.next < len(v.b.Succs) {
				s := v.b.Succs[v.next]
				v.next++
				if !seen[s.Index] {
					enter(s)
				}
				continue
			}
			count++
			number[v.b.Index] = count
			postorder = append(postorder, v.b)
			path = path[:len(path)-1]
		}
	}
	if count != n {
		panic("mid: " + f.String() + " has blocks that nothing leads to")
	}
	isRoot := func(b *Block) bool { return slices.Contains(roots, b) }
	// What two roots lead to is dominated by neither: nil stands above both.
	done := make([]bool, n)
	for _, r := range roots {
		done[r.Index] = true
	}
	common := func(a, b *Block) *Block {
		for a != b {
			for a != nil && (b == nil || number[a.Index] < number[b.Index]) {
				a = a.idom
			}
			if a == nil {
				return nil
			}
			for b != nil && number[b.Index] < number[a.Index] {
				b = b.idom
			}
			if b == nil {
				return nil
			}
		}
		return a
	}
	for again := true; again; {
		again = false
		for _, b := range slices.Backward(postorder) {
			if isRoot(b) {
				continue
			}
			var dom *Block
			first := true
			for _, p := range slices.Backward(b.Preds) { // the last ones are deepest, mostly: short ways up
				if !done[p.Index] {
					continue
				}
				if first {
					dom, first = p, false
				} else {
					dom = common(dom, p)
				}
			}
			if !done[b.Index] || b.idom != dom {
				b.idom, done[b.Index], again = dom, true, true
			}
		}
	}
	for _, b := range preorder {
		if b.idom != nil {
			b.idom.domChild = append(b.idom.domChild, b)
		}
	}
	f.numberDominators(preorder)
}

// numberDominators numbers the blocks in pre- and postorder of the dominator tree, so that
// Dominates need not walk.
func (f *Func) numberDominators(preorder []*Block) {
	pre, post := 0, 0
	type visit struct {
		b    *Block
		next int
	}
	for _, root := range preorder {
		if root.idom != nil {
			continue
		}
		root.domPre = pre
		pre++
		path := []visit{{root, 0}}
		for len(path) > 0 {
			v := &path[len(path)-1]
			if v.next < len(v.b.domChild) {
				c := v.b.domChild[v.next]
				v.next++
				c.domPre = pre
				pre++
				path = append(path, visit{c, 0})
				continue
			}
			v.b.domPost = post
			post++
			path = path[:len(path)-1]
		}
	}
}
