package lower

import (
	"go/types"
	"sort"

	"loam/internal/ir"
	"loam/internal/mid"
)

// What static initialisation found out (constdata.go), as text of LLVM.

// operand spells a known pointer, slice, string or interface as a constant operand.
func (e *staticEval) operand(v mid.Value) (ir.Value, bool) {
	s := e.known[v]
	word := func(off int64) ir.Value {
		for _, c := range s {
			if c.off == off {
				return e.pointerTo(c)
			}
		}
		return ir.Null
	}
	number := func(off int64) ir.Value {
		for _, c := range s {
			if c.off == off {
				return ir.Uint(ir.I64, c.bits)
			}
		}
		return ir.Int(ir.I64, 0)
	}
	switch u := under(v.Type()).(type) {
	case *types.Pointer, *types.Signature:
		return word(0), true
	case *types.Slice:
		return ir.Aggregate(llSlice, word(0), number(8), number(16)), true
	case *types.Interface:
		return ir.Aggregate(llIface, word(0), word(8)), true
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return word(0), true
		}
	}
	return ir.Value{}, false
}

// pointerTo returns the operand of a pointer scalar.
func (e *staticEval) pointerTo(c scalar) ir.Value {
	switch {
	case c.op != nil:
		return c.op()
	case c.obj == nil:
		return ir.CastConst(ir.IntToPtr, ir.Uint(ir.I64, c.bits), ir.Ptr)
	}
	base := e.address(c.obj)
	if c.delta == 0 {
		return base
	}
	return ir.OffsetConst(base, c.delta)
}

// address returns the address of an object and defines allocations.
func (e *staticEval) address(o *object) ir.Value {
	if o.global != nil {
		return e.m.globalRef(o.global)
	}
	if o.size == 0 && !e.m.noHeap {
		return e.m.zeroBase()
	}
	if !o.at.IsSet() {
		o.at = e.m.newStatic()
		e.m.out.Define(o.at, func() ir.Definition { return e.staticDef(o, false) })
	}
	return o.at
}

// newStatic returns the address of a new variable or constant of the package's.
func (m *data) newStatic() ir.Value {
	m.statics++
	return m.out.NumberedRef(m.pkg.Pkg.Path()+"..stat", m.statics)
}

// staticDef defines a static allocation.
func (e *staticEval) staticDef(o *object, constant bool) ir.Definition {
	ti := e.m.info(o.typ)
	d := ir.Definition{Linkage: ir.Internal, Const: constant, Align: max(ti.align, 1)}
	section := noptrBSS
	if len(o.cells) > 0 {
		d.Init, section = e.contents(o, o.at), noptrData
	} else {
		d.Init = ir.Zero(ir.Array(max(o.size, 1), ir.I8))
	}
	if !ti.ptrs && !constant {
		e.m.noptr(o.at, &d, section)
	}
	return d
}

// contents returns the initialiser of an object, which is at self.
func (e *staticEval) contents(o *object, self ir.Value) ir.Value {
	cells := make([]scalar, 0, len(o.cells))
	for _, c := range o.cells {
		cells = append(cells, c)
	}
	sort.Slice(cells, func(i, j int) bool { return cells[i].off < cells[j].off })
	b := &blob{self: self}
	for _, c := range cells {
		b.zero(c.off - b.size)
		switch {
		case c.op != nil || c.obj != nil:
			b.ptr(e.pointerTo(c))
		case c.size == 1:
			b.u8(uint8(c.bits))
		case c.size == 2:
			b.u16(uint16(c.bits))
		case c.size == 4:
			b.u32(uint32(c.bits))
		default:
			b.u64(c.bits)
		}
	}
	b.zero(o.size - b.size)
	return b.contents()
}

// readOnly returns the address of a read-only copy of a value, for interfaces.
func (e *staticEval) readOnly(t types.Type, v sval) ir.Value {
	o := &object{typ: t, size: e.m.sizes.Sizeof(t), cells: map[int64]scalar{}}
	for _, c := range v {
		o.cells[c.off] = c
	}
	return e.constant(o)
}

// constant defines a read-only object.
func (e *staticEval) constant(o *object) ir.Value {
	o.at = e.m.newStatic()
	e.m.out.Define(o.at, func() ir.Definition { return e.staticDef(o, true) })
	return o.at
}

// literalConst returns the address of a constant with o's contents.
func (m *data) literalConst(o *object) ir.Value {
	contents := (&staticEval{m: m}).contents(o, ir.Value{})
	text := contents.Typed()
	if g, ok := m.literals[text]; ok {
		return g
	}
	g := m.out.PlainNumberedRef("literal.", len(m.literals))
	m.literals[text] = g
	m.out.Define(g, func() ir.Definition { return sharedConst(contents, 16) })
	return g
}
