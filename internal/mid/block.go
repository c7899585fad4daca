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

// Idom returns the block that dominates b immediately; nil for those where the function begins
// and where it goes on after a recovered panic.
func (b *Block) Idom() *Block { return b.idom }

// Dominates reports whether every way to c leads through b, as it does if they are the same.
func (b *Block) Dominates(c *Block) bool { return b.domPre <= c.domPre && c.domPost <= b.domPost }

// DomPreorder returns f's blocks in preorder of the dominator tree.
func (f *Func) DomPreorder() []*Block {
	list := make([]*Block, len(f.Body()))
	for _, b := range f.blocks {
		list[b.domPre] = b
	}
	return list
}

// findDominators computes the dominator tree. All blocks must be reachable.
//
// A block's semidominator is the block of least number in depth-first order from which a path
// leads to it whose blocks between have greater numbers than it has. The dominator is the nearest
// ancestor, in the depth-first tree, whose number is no greater than that of the semidominator.
// (Georgiadis, Linear-Time Algorithms for Dominators and Related Problems: SEMI-NCA.) Work is n
// log n in blocks, whatever loops and jumps there are. Number 0 stands for what is above the
// blocks where the function may begin.
func (f *Func) findDominators() {
	if len(f.blocks) == 0 {
		return
	}
	s := f.depthFirst()
	n := len(s.order)
	if n-1 != len(f.blocks) {
		panic("mid: " + f.String() + " has blocks that nothing leads to")
	}
	for w := n - 1; w > 0; w-- {
		if s.parent[w] == 0 {
			s.semi[w] = 0
			continue
		}
		s.semi[w] = s.parent[w]
		for _, p := range s.order[w].Preds {
			s.semi[w] = min(s.semi[w], s.semi[s.least(s.number[p.Index], w+1)])
		}
		if s.isRoot[w] {
			s.semi[w] = 0
		}
	}
	idom := make([]int, n)
	for w := 1; w < n; w++ {
		d := s.parent[w]
		for d > s.semi[w] {
			d = idom[d]
		}
		idom[w] = d
		if d > 0 {
			b := s.order[w]
			b.idom = s.order[d]
			b.idom.domChild = append(b.idom.domChild, b)
		}
	}
	f.numberDominators(s.order[1:])
}

// search is a depth-first search of a function's blocks, by their numbers in its order.
type search struct {
	order    []*Block // nil at 0
	number   []int    // by a block's index
	parent   []int    // in the tree of the search; 0 of those where the function may begin
	isRoot   []bool
	semi     []int // a block itself, until its semidominator is known
	label    []int // of the blocks on the way to ancestor, the one with the least semidominator
	ancestor []int
	path     []int
}

// depthFirst numbers f's blocks from 1 and makes them blocks without dominators.
func (f *Func) depthFirst() *search {
	roots := f.blocks[:1:1]
	if f.recover != nil && f.recover != f.blocks[0] {
		roots = append(roots, f.recover)
	}
	s := &search{order: []*Block{nil}, number: make([]int, len(f.blocks)), parent: []int{0}}
	type visit struct {
		b    *Block
		next int
	}
	var path []visit
	enter := func(b *Block, parent int) {
		b.idom, b.domChild = nil, nil
		s.number[b.Index] = len(s.order)
		s.order = append(s.order, b)
		s.parent = append(s.parent, parent)
		path = append(path, visit{b, 0})
	}
	for _, r := range roots {
		if s.number[r.Index] == 0 {
			enter(r, 0)
		}
		for len(path) > 0 {
			v := &path[len(path)-1]
			if v.next == len(v.b.Succs) {
				path = path[:len(path)-1]
				continue
			}
			next := v.b.Succs[v.next]
			v.next++
			if s.number[next.Index] == 0 {
				enter(next, s.number[v.b.Index])
			}
		}
	}
	s.semi, s.label = make([]int, len(s.order)), make([]int, len(s.order))
	for w := range s.order {
		s.semi[w], s.label[w] = w, w
	}
	s.ancestor, s.isRoot = slices.Clone(s.parent), make([]bool, len(s.order))
	for _, r := range roots {
		s.isRoot[s.number[r.Index]] = true
	}
	return s
}

// least returns the block with the least semidominator among v and its ancestors from number last
// on, whose semidominators are known; v if it has a lesser number. It shortens the way for the
// next one that asks.
func (s *search) least(v, last int) int {
	for u := v; s.ancestor[u] >= last; u = s.ancestor[u] {
		s.path = append(s.path, u)
	}
	for len(s.path) > 0 {
		u := s.path[len(s.path)-1]
		s.path = s.path[:len(s.path)-1]
		above := s.ancestor[u]
		if s.semi[s.label[above]] < s.semi[s.label[u]] {
			s.label[u] = s.label[above]
		}
		s.ancestor[u] = s.ancestor[above]
	}
	return s.label[v]
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
