package pass

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// A literal within a literal is built where it belongs. go/ssa builds it in memory of its own and
// copies it, because the outer one may be a variable that the elements are read from. A literal
// that nobody knows yet is read by nobody; so there the copy is left out. Only big ones are looked
// at: LLVM leaves out what it can keep in registers.

// minNested is the size from which a literal is looked at, in bytes.
const minNested = 128

// A nest is a literal within another one.
type nest struct {
	inner, outer *mid.Alloc
	way          []mid.Instr // from the outer one's address to the place of the inner one's
	load         mid.Instr   // of the inner one, once it is complete
	store        *mid.Store  // of what was loaded
	*placing
}

// placing is the work on one block. It changes the block once, at the end: a literal may have
// thousands of others in it.
type placing struct {
	at    map[mid.Instr]int          // places of the block's instructions, with room between them
	moved map[*mid.Alloc][]mid.Instr // to where the literal was made
	gone  map[mid.Instr]bool         // literals that are built in others, their loads and stores
}

// room is how many places are left free ahead of each instruction of a block.
const room = 1 << 16

// placeNested builds literals in those that they are elements of.
func (w *function) placeNested() {
	gone := map[mid.Instr]bool{}
	for _, b := range w.f.Body() {
		var p *placing
		for _, in := range b.Instrs {
			a, ok := in.(*mid.Alloc)
			if !ok || a.Heap || a.Made != mid.Literal || w.in.Sizes.Sizeof(elem(a)) < minNested {
				continue
			}
			if p == nil {
				p = newPlacing(b.Instrs, gone)
			}
			if n := p.findNest(a); n != nil {
				n.place()
			}
		}
		if p != nil && len(p.moved) > 0 {
			b.SetInstrs(p.order(b.Instrs))
		}
	}
	w.f.Delete(gone)
}

// newPlacing numbers the instructions of a block.
func newPlacing(list []mid.Instr, gone map[mid.Instr]bool) *placing {
	p := &placing{at: make(map[mid.Instr]int, len(list)), moved: map[*mid.Alloc][]mid.Instr{}, gone: gone}
	for i, in := range list {
		p.at[in] = (i + 1) * room
	}
	return p
}

// order returns list with what has moved in its place.
func (p *placing) order(list []mid.Instr) []mid.Instr {
	away := map[mid.Instr]bool{}
	for _, instrs := range p.moved {
		for _, in := range instrs {
			away[in] = true
		}
	}
	ordered := make([]mid.Instr, 0, len(list))
	for _, in := range list {
		if a, ok := in.(*mid.Alloc); ok {
			ordered = append(ordered, p.moved[a]...)
		}
		if !away[in] {
			ordered = append(ordered, in)
		}
	}
	return ordered
}

// findNest returns the nest that inner is in, nil if it is in none, or cannot be built there.
func (p *placing) findNest(inner *mid.Alloc) *nest {
	n := &nest{inner: inner, placing: p}
	if !n.complete(inner) || n.store == nil || !n.findOuter() || !n.unknown(n.outer, nil) {
		return nil
	}
	return n
}

// findOuter finds the literal that the inner one is stored to, and the way there, if it is made
// first.
func (n *nest) findOuter() bool {
	for v := n.store.Addr; ; {
		in, ok := v.(mid.Instr)
		if _, here := n.at[in]; !ok || !here {
			return false
		}
		switch in := in.(type) {
		case *mid.Alloc:
			n.outer = in
			slices.Reverse(n.way)
			return in.Made == mid.Literal && len(n.way) > 0 && n.at[in] < n.at[n.inner]
		case *mid.FieldAddr:
			v = in.X
		case *mid.IndexAddr:
			if !inArray(in) {
				return false
			}
			v = in.X
		default:
			return false
		}
		n.way = append(n.way, in)
	}
}

// inArray tells whether in is the address of an element of an array, by a constant index.
func inArray(in *mid.IndexAddr) bool {
	_, constant := in.Index.(*mid.Const)
	_, pointer := under(in.X.Type()).(*types.Pointer)
	return constant && pointer
}

// complete tells whether v, an address within the inner literal, is only stored to, in the block of
// the literal, and whether one load of it all comes after that. It finds the load, and the store of
// what it loads.
func (n *nest) complete(v mid.Register) bool {
	for _, r := range v.Referrers() {
		if load, ok := r.(*mid.UnOp); ok && load.Op == token.MUL && n.load == nil && !n.gone[r] && v == mid.Register(n.inner) && len(load.Referrers()) == 1 {
			n.load = load
			n.store, _ = load.Referrers()[0].(*mid.Store)
		}
	}
	last, here := n.at[n.load]
	if !here || n.store == nil || n.store.Val != n.load.(mid.Value) {
		return false
	}
	if _, here := n.at[n.store]; !here {
		return false
	}
	for _, r := range v.Referrers() {
		if n.gone[r] {
			continue
		}
		if i, here := n.at[r]; !here || i > last {
			return false
		}
		switch r := r.(type) {
		case *mid.FieldAddr:
			if !n.complete(r) {
				return false
			}
		case *mid.IndexAddr:
			if !inArray(r) || !n.complete(r) {
				return false
			}
		case *mid.Store:
			if r.Addr != mid.Value(v) || r.Val == mid.Value(v) {
				return false
			}
		default:
			if r != n.load {
				return false
			}
		}
	}
	return true
}

// unknown tells whether v, the address that way leads to in the outer literal, is only stored to
// until the inner literal is, and not where that will be.
func (n *nest) unknown(v mid.Register, way []mid.Instr) bool {
	for _, r := range v.Referrers() {
		if i, here := n.at[r]; !here || i >= n.at[n.store] || n.gone[r] {
			continue
		}
		switch r := r.(type) {
		case *mid.FieldAddr, *mid.IndexAddr:
			if x, ok := r.(*mid.IndexAddr); ok && !inArray(x) {
				return false
			}
			if !n.unknown(r.(mid.Register), append(slices.Clone(way), r)) {
				return false
			}
		case *mid.Store:
			if r.Addr != mid.Value(v) || r.Val == mid.Value(v) || overlap(way, n.way) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// overlap tells whether one of two ways from the same address goes on from where the other ends.
func overlap(a, b []mid.Instr) bool {
	for i := range min(len(a), len(b)) {
		switch x := a[i].(type) {
		case *mid.FieldAddr:
			if x.Field != b[i].(*mid.FieldAddr).Field {
				return false
			}
		case *mid.IndexAddr:
			// Constants of the same type: different values are different elements.
			m, mOK := x.Index.(*mid.Const).Int64()
			n, nOK := b[i].(*mid.IndexAddr).Index.(*mid.Const).Int64()
			if mOK && nOK && m != n {
				return false
			}
		}
	}
	return true
}

// place has the inner literal built in the outer one: the way to its place goes to where it was
// made.
func (n *nest) place() {
	var late []mid.Instr
	for _, in := range n.way {
		if n.at[in] > n.at[n.inner] {
			late = append(late, in)
		}
	}
	for i, in := range late {
		n.at[in] = n.at[n.inner] - len(late) + i
	}
	n.moved[n.inner] = late
	mid.Replace(n.inner, n.store.Addr)
	for _, in := range []mid.Instr{n.inner, n.load, n.store} {
		n.gone[in] = true
	}
}
