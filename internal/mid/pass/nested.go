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
	way          []mid.Instr       // from the outer one's address to the place of the inner one's
	load         mid.Instr         // of the inner one, once it is complete
	store        *mid.Store        // of what was loaded
	at           map[mid.Instr]int // the places of their block's instructions
}

// placeNested builds literals in those that they are elements of.
func (w *function) placeNested() {
	for _, b := range w.f.Body() {
		for i := 0; i < len(b.Instrs); i++ {
			a, ok := b.Instrs[i].(*mid.Alloc)
			if !ok || a.Heap || a.Made != mid.Literal || w.in.Sizes.Sizeof(elem(a)) < minNested {
				continue
			}
			if n := findNest(a); n != nil {
				n.place()
				i--
			}
		}
	}
}

// findNest returns the nest that inner is in, nil if it is in none, or cannot be built there.
func findNest(inner *mid.Alloc) *nest {
	n := &nest{inner: inner, at: map[mid.Instr]int{}}
	for i, in := range inner.Block().Instrs {
		n.at[in] = i
	}
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
		if load, ok := r.(*mid.UnOp); ok && load.Op == token.MUL && n.load == nil && v == mid.Register(n.inner) && len(load.Referrers()) == 1 {
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
		if i, here := n.at[r]; !here || i >= n.at[n.store] {
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
			if x.Index.(*mid.Const).Int64() != b[i].(*mid.IndexAddr).Index.(*mid.Const).Int64() {
				return false
			}
		}
	}
	return true
}

// place has the inner literal built in the outer one.
func (n *nest) place() {
	b := n.inner.Block()
	late := func(in mid.Instr) bool { return slices.Contains(n.way, in) && n.at[in] > n.at[n.inner] }
	list := slices.DeleteFunc(slices.Clone(b.Instrs), late)
	moved := slices.DeleteFunc(slices.Clone(n.way), func(in mid.Instr) bool { return !late(in) })
	b.SetInstrs(slices.Insert(list, slices.Index(list, mid.Instr(n.inner)), moved...))
	mid.Replace(n.inner, n.store.Addr)
	b.Parent().Delete(map[mid.Instr]bool{n.inner: true, n.load: true, n.store: true})
}
