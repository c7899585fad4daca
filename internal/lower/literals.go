package lower

import (
	"go/types"
	"maps"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// Composite literals in functions.
//
// A literal is made by a store for each element. Where most elements are constants (functions
// and addresses of variables count as such) that is a lot of code, and clang's time grows with the
// square of their number (an array of 1025 bytes took seconds). So the constants are put together
// at compile time, and where the memory would be cleared they are copied there instead. The stores
// of other elements stay where they are.
//
// A store is made early in this way only if nobody can tell: it follows the allocation in the same
// block, no instruction between the two reads the memory or gets its address, none has stored to
// the same place, and the memory is not looked at after a recovered panic.

// minLiteral is the number of constant elements from which that is worth it; LLVM is good at less.
const minLiteral = 48

// literalData finds the literals of b's function: b.literals has the address of the data that an
// allocation starts with. The stores that make it are not emitted, nor are the addresses that only
// they use.
func (b *values) literalData() {
	for _, blk := range b.f.Body() {
		for i, in := range blk.Instrs {
			if a, ok := in.(*mid.Alloc); ok && len(a.Referrers()) >= minLiteral && !b.readInRecovery(a) {
				b.literal(a, blk.Instrs[i+1:])
			}
		}
	}
}

// readInRecovery reports whether a is used by what runs after a recovered panic.
func (b *values) readInRecovery(a *mid.Alloc) bool {
	for _, r := range a.Referrers() {
		if b.f.Recover() != nil && r.Block() == b.f.Recover() {
			return true
		}
	}
	return false
}

// draft is an object whose contents are being put together.
type draft struct {
	*object
	temporary bool
	stores    int         // of a temporary: how many are still to come
	partial   bool        // code stores to it, too
	dropped   []mid.Instr // what need not be lowered once the contents are data
}

// spot is an address in a draft.
type spot struct {
	in  *draft
	off int64
}

// literal finds the constants that the instructions after a, in its block, store to it.
func (b *values) literal(a *mid.Alloc, after []mid.Instr) {
	whole := b.newDraft(a)
	at := map[mid.Value]spot{a: {whole, 0}}
	loaded := map[mid.Value]*draft{} // temporaries
	for _, in := range after {
		if !b.drafted(in, at, loaded) {
			break
		}
	}
	if len(whole.dropped) < minLiteral {
		return
	}
	for _, in := range whole.dropped {
		b.unevaluated[in] = true
	}
	for v, s := range at {
		if in, ok := v.(mid.Instr); ok && s.in == whole && v != mid.Value(a) && b.onlyDropped(v) {
			b.unevaluated[in] = true
		}
	}
	if b.literals == nil {
		b.literals = map[*mid.Alloc]ir.Value{}
	}
	b.literals[a] = b.m.literalConst(whole.object)
}

// literalBox returns read-only memory with what is put into an interface, if that is a literal of
// constants; otherwise none.
func (b *values) literalBox(in *mid.MakeInterface) ir.Value {
	load, ok := in.X.(*mid.UnOp)
	if !ok {
		return ir.Value{}
	}
	a, ok := load.X.(*mid.Alloc)
	if !ok || a.Heap || a.Made != mid.Literal || load.Block() != a.Block() {
		return ir.Value{}
	}
	whole := b.newDraft(a)
	at := map[mid.Value]spot{a: {whole, 0}}
	loaded := map[mid.Value]*draft{}
	instrs := a.Block().Instrs
	for _, in := range instrs[slices.Index(instrs, mid.Instr(a))+1:] {
		if in == mid.Instr(load) {
			break
		}
		if !b.drafted(in, at, loaded) {
			return ir.Value{}
		}
	}
	if whole.partial || len(whole.dirty) > 0 {
		return ir.Value{}
	}
	return b.m.literalConst(whole.object)
}

func (b *values) newDraft(a *mid.Alloc) *draft {
	size := b.m.info(under(a.Type()).(*types.Pointer).Elem()).size
	return &draft{object: &object{size: size, cells: map[int64]scalar{}, dirty: map[int64]bool{}}}
}

// drafted carries out one instruction on the objects that at has addresses of; false if it ends
// what can be known of them.
func (b *values) drafted(in mid.Instr, at map[mid.Value]spot, loaded map[mid.Value]*draft) bool {
	derived := func(v mid.Value, s spot, off int64) bool {
		at[v] = spot{s.in, s.off + off}
		if s.in.temporary {
			s.in.dropped = append(s.in.dropped, in)
		}
		return true
	}
	switch in := in.(type) {
	case *mid.Alloc:
		if n := b.temporary(in); n > 0 {
			t := b.newDraft(in)
			t.temporary, t.stores = true, n
			return derived(in, spot{t, 0}, 0)
		}
	case *mid.FieldAddr:
		if s, ok := at[in.X]; ok {
			return derived(in, s, b.m.fieldOffset(under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Struct), in.Field))
		}
	case *mid.IndexAddr:
		s, ok := at[in.X]
		if i, constant := constIndex(in.Index); ok && constant {
			array := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Array)
			return 0 <= i && i < array.Len() && derived(in, s, i*b.m.info(array.Elem()).size)
		}
	case *mid.UnOp:
		if s, ok := at[in.X]; ok && s.in.temporary {
			s.in.partial = s.in.partial || s.in.stores > 0
			s.in.dropped = append(s.in.dropped, in)
			loaded[in] = s.in
			return true
		}
	case *mid.Store:
		s, ok := at[in.Addr]
		if _, leaks := at[in.Val]; ok && !leaks {
			s.in.stores--
			if b.constantStore(s, in, loaded[in.Val]) {
				s.in.dropped = append(s.in.dropped, in)
			} else {
				s.in.partial = true
				s.in.markDirty(s.off, b.m.info(in.Val.Type()).size)
			}
			return true
		}
	}
	var ops [8]*mid.Value
	for _, op := range in.Operands(ops[:0]) {
		if _, ok := at[*op]; ok {
			return false
		}
	}
	return true
}

// temporary returns how many stores make a, if it is a variable that an element is built in:
// it is in the frame, small, loaded once as a whole, to be stored, and nothing else looks at it.
// Otherwise it returns 0.
func (b *values) temporary(a *mid.Alloc) (stores int) {
	if a.Heap || a.Made != mid.Literal || b.f.Recover() != nil || b.m.info(under(a.Type()).(*types.Pointer).Elem()).big ||
		b.m.calls.CallsCollector(b.f) || b.m.calls.HelpsCollector(b.f) {
		return 0
	}
	loads := 0
	var count func(v mid.Value) bool
	count = func(v mid.Value) bool {
		for _, r := range v.Referrers() {
			ok := r.Block() == a.Block()
			switch r := r.(type) {
			case *mid.FieldAddr:
				ok = ok && count(r)
			case *mid.IndexAddr:
				_, constant := constIndex(r.Index)
				ok = ok && constant && count(r)
			case *mid.Store:
				ok = ok && r.Addr == v && r.Val != v
				stores++
			case *mid.UnOp:
				ok = ok && v == mid.Value(a) && onlyStored(r)
				loads++
			default:
				ok = false
			}
			if !ok {
				return false
			}
		}
		return true
	}
	if !count(a) || loads != 1 {
		return 0
	}
	return stores
}

// onlyStored reports whether one store is all that v is used for.
func onlyStored(v mid.Value) bool {
	n := 0
	for _, r := range v.Referrers() {
		switch r := r.(type) {
		case *mid.Store:
			if n++; r.Val != v || r.Addr == v {
				return false
			}
		default:
			return false
		}
	}
	return n == 1
}

// onlyDropped reports whether all that uses the address v are stores that are not emitted.
func (b *values) onlyDropped(v mid.Value) bool {
	for _, r := range v.Referrers() {
		if _, store := r.(*mid.Store); !store || !b.unevaluated[r] {
			return false
		}
	}
	return true
}

// constantStore puts the constant that in stores at s into its contents, and reports whether it
// could. from is the temporary whose value that is, nil if there is none.
func (b *values) constantStore(s spot, in *mid.Store, from *draft) bool {
	t := in.Val.Type()
	if basicKind(t) == types.Uintptr {
		return false
	}
	o, size := s.in.object, b.m.info(t).size
	var scalars sval
	ok := from != nil && !from.partial
	if ok {
		scalars = slices.Collect(maps.Values(from.cells))
	} else {
		scalars, ok = b.m.fixedScalars(in.Val)
	}
	if !ok || o.overlapsDirty(s.off, size) {
		return false
	}
	o.clear(s.off, size)
	for _, c := range scalars {
		c.off += s.off
		o.cells[c.off] = c
	}
	if from != nil {
		s.in.dropped = append(s.in.dropped, from.dropped...)
	}
	return true
}

// clearOrFill gives the memory at p, which a has made, its first contents. It may have been cleared
// already.
func (b *values) clearOrFill(a *mid.Alloc, p ir.Value, size, align int64, cleared bool) {
	data, ok := b.literals[a]
	switch {
	case ok:
		b.copyBytes(p, data, ir.Int(ir.I64, size), align, 16)
	case !cleared && !b.wholeStoreFollows(a):
		b.zeroSlot(p, size, align)
	}
}

// wholeStoreFollows reports whether the instruction after the allocation stores to all of it,
// so that it need not be zeroed first.
func (b *values) wholeStoreFollows(in *mid.Alloc) bool {
	instrs := in.Block().Instrs
	if b.at+1 >= len(instrs) || instrs[b.at] != in {
		return false
	}
	s, ok := instrs[b.at+1].(*mid.Store)
	return ok && s.Addr == in
}

// maxAlloc is the largest object that the run-time system can be asked for (rt/heap/growth.go).
const maxAlloc = 1 << 48

// madeTooLarge reports whether a is the array of such a make and larger than any object can be, its
// size more than an int64 holds (-1) perhaps. It is not allocated: slicing it is what panics.
func (b *values) madeTooLarge(a *mid.Alloc) bool {
	if size := b.m.info(under(a.Type()).(*types.Pointer).Elem()).size; size >= 0 && size <= maxAlloc {
		return false
	}
	return slices.ContainsFunc(a.Referrers(), func(r mid.Instr) bool {
		s, ok := r.(*mid.Slice)
		return ok && plan.MakesSlice(s)
	})
}
