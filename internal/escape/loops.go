package escape

import (
	"go/token"

	"loam/internal/mid"
)

// loopInfo knows the loops of one function; computed when first asked for.
type loopInfo struct {
	fn          *mid.Func
	head        []*mid.Block // by block: header of the innermost loop around it
	irreducible bool         // some loop has more than one entry
	stack       []*mid.Block
	state       []uint8
}

// inLoop reports whether b may run more than once in a call.
func (g *graph) inLoop(b *mid.Block) bool {
	if len(b.Preds) == 0 {
		return false
	}
	g.loops.compute(g.fn)
	return g.loops.irreducible || g.loops.head[b.Index] != nil
}

// loopHead returns the header of the innermost loop around b, nil if there is no block
// that has this role.
func (g *graph) loopHead(b *mid.Block) *mid.Block {
	g.loops.compute(g.fn)
	if g.loops.irreducible {
		return nil
	}
	return g.loops.head[b.Index]
}

func (l *loopInfo) compute(fn *mid.Func) {
	if l.fn == fn {
		return
	}
	l.fn = fn
	l.irreducible = false
	l.head = fill(l.head, len(fn.Body()), nil)
	l.state = fill(l.state, len(fn.Body()), 0)
	latches := map[*mid.Block][]*mid.Block{}
	l.search(fn.Body()[0], latches)
	if fn.Recover() != nil {
		l.search(fn.Recover(), latches)
	}
	if len(latches) == 0 || l.irreducible {
		return
	}
	// Outer loops first, so that inner ones overwrite.
	for _, h := range fn.DomPreorder() {
		if len(latches[h]) > 0 {
			l.mark(h, latches[h])
		}
	}
}

// search walks depth first and notes the edges that go back to a block on the path.
func (l *loopInfo) search(b *mid.Block, latches map[*mid.Block][]*mid.Block) {
	const onPath, done = 1, 2
	type frame struct {
		b    *mid.Block
		next int
	}
	if l.state[b.Index] != 0 {
		return
	}
	l.state[b.Index] = onPath
	path := []frame{{b, 0}}
	for len(path) > 0 {
		f := &path[len(path)-1]
		if f.next == len(f.b.Succs) {
			l.state[f.b.Index] = done
			path = path[:len(path)-1]
			continue
		}
		to := f.b.Succs[f.next]
		f.next++
		switch l.state[to.Index] {
		case 0:
			l.state[to.Index] = onPath
			path = append(path, frame{to, 0})
		case onPath:
			if !to.Dominates(f.b) {
				l.irreducible = true
			}
			latches[to] = append(latches[to], f.b)
		}
	}
}

// mark makes h the innermost header of the blocks in its natural loop.
func (l *loopInfo) mark(h *mid.Block, latches []*mid.Block) {
	l.head[h.Index] = h
	l.stack = append(l.stack[:0], latches...)
	for len(l.stack) > 0 {
		b := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		if l.head[b.Index] == h {
			continue
		}
		l.head[b.Index] = h
		l.stack = append(l.stack, b.Preds...)
	}
}

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
	if !head.Dominates(b) || g.loopHead(b) != head {
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
