package lower

import (
	"fmt"
	"go/types"
	"sort"

	"loam/internal/ir"
	"loam/internal/mid"
)

// What static initialisation found out (constdata.go), as text of LLVM.

// operand spells a known pointer, slice, string or interface as a constant operand.
func (e *staticEval) operand(v mid.Value) (string, bool) {
	s := e.known[v]
	word := func(off int64) string {
		for _, c := range s {
			if c.off == off {
				return e.pointerText(c)
			}
		}
		return "null"
	}
	number := func(off int64) uint64 {
		for _, c := range s {
			if c.off == off {
				return c.bits
			}
		}
		return 0
	}
	switch u := under(v.Type()).(type) {
	case *types.Pointer, *types.Signature:
		return word(0), true
	case *types.Slice:
		return fmt.Sprintf("{ ptr %s, i64 %d, i64 %d }", word(0), number(8), number(16)), true
	case *types.Interface:
		return fmt.Sprintf("{ ptr %s, ptr %s }", word(0), word(8)), true
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return word(0), true
		}
	}
	return "", false
}

// pointerText returns the operand of a pointer scalar.
func (e *staticEval) pointerText(c scalar) string {
	switch {
	case c.op != nil:
		return c.op()
	case c.obj == nil:
		return fmt.Sprintf("inttoptr (i64 %d to ptr)", c.bits)
	}
	base := e.symbol(c.obj)
	if c.delta == 0 {
		return base
	}
	return fmt.Sprintf("getelementptr (i8, ptr %s, i64 %d)", base, c.delta)
}

// symbol returns the quoted symbol of an object and defines allocations.
func (e *staticEval) symbol(o *object) string {
	if o.global != nil {
		return e.m.globalRef(o.global)
	}
	if o.name != "" {
		return quote(o.name)
	}
	e.m.statics++
	o.name = fmt.Sprintf("%s..stat%d", e.m.pkg.Pkg.Path(), e.m.statics)
	e.m.define(o.name, func() string { return e.staticDef(o, "global") })
	return quote(o.name)
}

// Sections of variables without pointers, which the collector does not scan. LLVM gives
// the second one type NOBITS because of its prefix; the linker leaves both names alone.
const (
	noptrData = ".noptrdata"
	noptrBSS  = ".llvm.linkonce.b.noptrbss"
)

// noptr returns the section and comdat suffix for the definition of sym, a variable
// without pointers. A section group of its own lets the linker keep or drop it alone
// although the section's name is shared.
func (m *module) noptr(sym, section string) string {
	m.define("$"+sym, func() string { return "$" + ir.Name(sym) + " = comdat nodeduplicate" })
	return fmt.Sprintf(", section \"%s\", comdat", section)
}

// staticDef defines a static allocation.
func (e *staticEval) staticDef(o *object, kind string) string {
	m, q := e.m, quote(o.name)
	ti := m.info(o.typ)
	init, section := fmt.Sprintf("[%d x i8] zeroinitializer", max(o.size, 1)), noptrBSS
	if len(o.cells) > 0 {
		init, section = e.initText(o, q), noptrData
	}
	suffix := ""
	if !ti.ptrs && kind != "constant" {
		suffix = m.noptr(o.name, section)
	}
	return fmt.Sprintf("%s = internal %s %s%s, align %d", q, kind, init, suffix, max(ti.align, 1))
}

// initText returns LLVM type and initialiser of an object's contents.
func (e *staticEval) initText(o *object, self string) string {
	cells := make([]scalar, 0, len(o.cells))
	for _, c := range o.cells {
		cells = append(cells, c)
	}
	sort.Slice(cells, func(i, j int) bool { return cells[i].off < cells[j].off })
	b := &blob{sym: self}
	for _, c := range cells {
		b.zero(c.off - b.size)
		switch {
		case c.op != nil || c.obj != nil:
			b.ptr(e.pointerText(c))
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
	return b.text()
}

// readOnly returns the address of a read-only copy of a value, for interfaces.
func (e *staticEval) readOnly(t types.Type, v sval) string {
	o := &object{typ: t, size: e.m.sizes.Sizeof(t), cells: map[int64]scalar{}}
	for _, c := range v {
		o.cells[c.off] = c
	}
	e.m.statics++
	o.name = fmt.Sprintf("%s..stat%d", e.m.pkg.Pkg.Path(), e.m.statics)
	e.m.define(o.name, func() string { return e.staticDef(o, "constant") })
	return quote(o.name)
}
