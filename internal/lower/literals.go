package lower

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Composite literals in functions.
//
// go/ssa makes a literal by a store for each element. Where most elements are constants (or functions, or addresses of variables) that is a lot of code, and clang's time
// grows with the square of their number (an array of 1025 bytes took seconds). So the constants are put
// together at compile time, and where the memory would be cleared they are copied there instead. The stores of
// other elements stay where they are.
//
// A store is made early in this way only if nobody can tell: it follows the allocation in the same block, no instruction between the
// two reads the memory or gets its address, none has stored to the same place, and the memory is not
// looked at after a recovered panic.

// minLiteral is the number of constant elements from which that is worth it; LLVM is good at less.
const minLiteral = 48

// literalData finds the literals of b's function: b.literals has the address of the data that an allocation starts with. The stores that
// make it are not emitted, nor are the addresses that only they use.
func (b *fn) literalData() {
	for _, blk := range b.f.Blocks {
		for i, in := range blk.Instrs {
			if a, ok := in.(*ssa.Alloc); ok && len(*a.Referrers()) >= minLiteral && !b.readInRecovery(a) {
				b.literal(a, blk.Instrs[i+1:])
			}
		}
	}
}

// readInRecovery tells whether a is used by what runs after a recovered panic.
func (b *fn) readInRecovery(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		if b.f.Recover != nil && r.Block() == b.f.Recover {
			return true
		}
	}
	return false
}

// literal finds the constants that the instructions after a, in its block, store to it.
func (b *fn) literal(a *ssa.Alloc, after []ssa.Instruction) {
	size := b.m.info(under(a.Type()).(*types.Pointer).Elem()).size
	o := &object{size: size, cells: map[int64]scalar{}, dirty: map[int64]bool{}}
	at := map[ssa.Value]int64{a: 0} // addresses in the object, and their offsets
	var stores []*ssa.Store
	uses := func(in ssa.Instruction) bool {
		var ops [8]*ssa.Value
		for _, op := range in.Operands(ops[:0]) {
			if _, ok := at[*op]; ok {
				return true
			}
		}
		return false
	}
scan:
	for _, in := range after {
		switch in := in.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.FieldAddr:
			if off, ok := at[in.X]; ok {
				at[in] = off + b.m.fieldOffset(under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Struct), in.Field)
				continue
			}
		case *ssa.IndexAddr:
			off, ok := at[in.X]
			i, constant := constIndex(in.Index)
			if ok && constant {
				array := under(under(in.X.Type()).(*types.Pointer).Elem()).(*types.Array)
				if i < 0 || i >= array.Len() {
					break scan
				}
				at[in] = off + i*b.m.info(array.Elem()).size
				continue
			}
		case *ssa.Store:
			off, ok := at[in.Addr]
			if _, leaks := at[in.Val]; ok && !leaks {
				if b.constantStore(o, off, in) {
					stores = append(stores, in)
				} else {
					o.markDirty(off, b.m.info(in.Val.Type()).size)
				}
				continue
			}
		}
		if uses(in) {
			break scan
		}
	}
	if len(stores) < minLiteral {
		return
	}
	for _, s := range stores {
		b.unevaluated[s] = true
	}
	for v := range at {
		if in, ok := v.(ssa.Instruction); ok && v != ssa.Value(a) && b.onlyDropped(v) {
			b.unevaluated[in] = true
		}
	}
	if b.literals == nil {
		b.literals = map[*ssa.Alloc]string{}
	}
	b.literals[a] = b.m.literalConst(o)
}

// onlyDropped tells whether all that uses the address v are stores that are not emitted.
func (b *fn) onlyDropped(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, store := r.(*ssa.Store); !store || !b.unevaluated[r] {
			return false
		}
	}
	return true
}

// constantStore puts the constant that in stores into o's contents, and reports whether it could.
func (b *fn) constantStore(o *object, off int64, in *ssa.Store) bool {
	t := in.Val.Type()
	if blankField(in.Addr) || basicKind(t) == types.Uintptr {
		return false
	}
	size := b.m.info(t).size
	scalars, ok := b.m.fixedScalars(in.Val)
	if !ok || o.dirty[-1] || size > maxTracked && len(o.dirty) > 0 {
		return false
	}
	for i := off; i < off+size && len(o.dirty) > 0; i++ {
		if o.dirty[i] {
			return false
		}
	}
	o.clear(off, size)
	for _, s := range scalars {
		s.off += off
		o.cells[s.off] = s
	}
	return true
}

// literalConst returns the address of a constant with o's contents.
func (m *module) literalConst(o *object) string {
	text := (&staticEval{m: m}).initText(o, "")
	if g, ok := m.literals[text]; ok {
		return g
	}
	g := fmt.Sprintf("@literal.%d", len(m.literals))
	m.literals[text] = g
	m.define(g, func() string { return fmt.Sprintf("%s = private unnamed_addr constant %s, align 16", g, text) })
	return g
}

// clearOrFill gives the memory at p, which a has made, its first contents. It may have been cleared already.
func (b *fn) clearOrFill(a *ssa.Alloc, p string, size, align int64, cleared bool) {
	data, ok := b.literals[a]
	switch {
	case ok:
		b.m.declare("llvm.memcpy.p0.p0.i64", "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)")
		b.Do("call void @llvm.memcpy.p0.p0.i64(ptr align %d %s, ptr align 16 %s, i64 %d, i1 false)", align, p, data, size)
	case !cleared && !b.wholeStoreFollows(a):
		b.zeroSlot(p, size, align)
	}
}
