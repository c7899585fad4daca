package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Map literals of package variables.
//
// A map cannot be data, since its hashes depend on the process; but if all keys and
// elements of a literal are static, it can be a table that the run-time system fills the
// variable from before any package is initialised. So it needs no code, and the table is
// tied to the variable's section: the linker drops it, and what only it refers to, unless
// something uses the variable. The tables form the section loam_staticmaps, of
//
//	struct {
//		variable    unsafe.Pointer // *map[K]V
//		typ         *abi.MapType
//		n, hint     int
//		keys, elems unsafe.Pointer // arrays
//	}
//
// The reasoning that allows it is that of staticInits for stores to variables.

// staticMap is a map literal in the making.
type staticMap struct {
	typ     *types.Map
	hint    int64
	global  *mid.Global
	entries []mapEntry
	instrs  []mid.Instr
	failed  bool
}

type mapEntry struct{ key, elem sval }

// startMap begins a literal if the map only gets entries and is stored to one variable.
func (e *staticEval) startMap(in *mid.MakeMap, spine bool) {
	t := &staticMap{typ: under(in.Type()).(*types.Map), instrs: []mid.Instr{in}}
	if in.Reserve != nil {
		n, ok := constIndex(in.Reserve)
		if !ok || n < 0 || n > 1<<24 {
			return
		}
		t.hint = n
	}
	stores := 0
	for _, r := range in.Referrers() {
		switch r := r.(type) {
		case *mid.MapUpdate:
			if r.Map != in || r.Key == in || r.Value == in {
				return
			}
		case *mid.Store:
			g, ok := r.Addr.(*mid.Global)
			if !ok || r.Val != in || g.Pkg != e.m.pkg || !e.m.definesLinked(g) {
				return
			}
			stores++
			t.global = g
		default:
			return
		}
	}
	if spine && stores == 1 && !e.m.rt {
		e.maps[in] = t
	}
}

// addEntry records an entry, or gives the literal up.
func (e *staticEval) addEntry(in *mid.MapUpdate, spine bool) {
	mk, _ := in.Map.(*mid.MakeMap)
	t := e.maps[mk]
	if t == nil {
		return
	}
	k, kok := e.value(in.Key)
	v, vok := e.value(in.Value)
	if !kok || !vok || !spine || hashMightPanic(t.typ.Key()) {
		t.failed = true
	}
	t.entries = append(t.entries, mapEntry{k, v})
	t.instrs = append(t.instrs, in)
}

// storeMap completes a literal; false if in does not store one.
func (e *staticEval) storeMap(in *mid.Store, spine bool) bool {
	mk, _ := in.Val.(*mid.MakeMap)
	t := e.maps[mk]
	if t == nil || t.failed || !spine {
		return false
	}
	o := e.object(t.global)
	if len(o.cells) > 0 || len(o.dirty) > 0 {
		return false
	}
	o.dirty[-1] = true // contents unknown to this evaluation
	for _, i := range append(t.instrs, in) {
		e.moved[i] = true
	}
	e.tables = append(e.tables, t)
	return true
}

// emitMap defines the table of a literal.
func (e *staticEval) emitMap(t *staticMap) {
	m := e.m
	array := func(elem types.Type, part func(mapEntry) sval) ir.Value {
		if len(t.entries) == 0 {
			return ir.Null
		}
		size := m.sizes.Sizeof(elem)
		o := &object{typ: types.NewArray(elem, int64(len(t.entries))), size: size * int64(len(t.entries)), cells: map[int64]scalar{}}
		for i, x := range t.entries {
			for _, c := range part(x) {
				c.off += int64(i) * size
				o.cells[c.off] = c
			}
		}
		return e.constant(o)
	}
	keys := array(t.typ.Key(), func(x mapEntry) sval { return x.key })
	elems := array(t.typ.Elem(), func(x mapEntry) sval { return x.elem })
	g := m.globalRef(t.global)
	entry := m.out.PlainNumberedRef("staticmap.", len(m.kept))
	m.kept = append(m.kept, entry)
	node := m.out.AddressNode(g)
	m.out.Define(entry, func() ir.Definition {
		fields := []ir.Value{g, m.typeDesc(t.typ), ir.Int(ir.I64, len(t.entries)), ir.Int(ir.I64, t.hint), keys, elems}
		typ := ir.Struct(ir.Ptr, ir.Ptr, ir.I64, ir.I64, ir.Ptr, ir.Ptr)
		return ir.Definition{Linkage: ir.Private, Const: true, Init: ir.Aggregate(typ, fields...), Section: "loam_staticmaps",
			Comdat: m.out.Group(entry), Align: 8, Associated: node}
	})
	m.out.Comdat(entry, true)
}
