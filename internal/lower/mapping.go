package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/layout"
	"loam/internal/mid"
	"loam/internal/plan"
)

// mapForm is the specialised access function family for a map type: "" for the general
// one, "_fast32", "_fast64", "_faststr", and whether keys of the 64-bit form are pointers.
func (m *module) mapForm(t *types.Map) (form string, ptr bool) {
	switch layout.MapFormOf(t, m.sizes) {
	case layout.MapFast32:
		return "_fast32", false
	case layout.MapFast64:
		return "_fast64", false
	case layout.MapFast64Ptr:
		return "_fast64", true
	case layout.MapFastStr:
		return "_faststr", false
	}
	return "", false
}

// mapKey returns the key argument for a form. The 64-bit access functions take integers.
func (b *calls) mapKey(form string, ptr bool, kt types.Type, key ir.Value, assign bool) ir.Value {
	if form == "" {
		return b.spillVal(key, kt)
	}
	if ptr && !assign {
		return b.Cast(ir.PtrToInt, key, ir.I64)
	}
	return key
}

func (b *calls) makeMap(in *mid.MakeMap) {
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "map in run-time package")
	}
	t := b.m.typeDesc(in.Type())
	hint := ir.Int(ir.I64, 0)
	if in.Reserve != nil {
		hint = b.sliceLen(in.Reserve)
	}
	if b.onStack(in) {
		b.vals[in] = b.CallAt(ir.Ptr, b.m.rtFunc("makemap"), t, hint, b.stackMap(in, hint))
		return
	}
	if hint == ir.Int(ir.I64, 0) {
		b.vals[in] = b.CallAt(ir.Ptr, b.m.rtFunc("makemap_small"))
		return
	}
	b.vals[in] = b.CallAt(ir.Ptr, b.m.rtFunc("makemap"), t, hint, ir.Null)
}

// stackMap returns a slot of the frame for the header of a map that does not escape, with
// the map's first group beside it if the map starts small, which hint tells. What outgrows the
// group moves to the heap; keys and elements that are pointers have escaped anyway.
func (b *calls) stackMap(in *mid.MakeMap, hint ir.Value) ir.Value {
	const headerSize, dirPtr = 48, 16 // internal/runtime/maps.Map
	header := b.Alloca(headerSize, 8)
	b.zeroSlot(header, headerSize, 8)
	c, isConst := in.Reserve.(*mid.Const)
	if isConst {
		if n, ok := c.Int64(); !ok || n > mapSlots {
			return header
		}
	}
	group, _ := b.m.mapGroup(under(in.Type()).(*types.Map))
	size := b.m.sizes.Sizeof(group)
	slot := b.Alloca(size, 8)
	b.zeroSlot(slot, size, 8)
	// all slots empty: 0x80 each
	b.Store(ir.Int(ir.I64, int64(-0x7f7f7f7f7f7f7f80)), slot, 8)
	if in.Reserve != nil && !isConst {
		slot = b.Select(b.ICmp(ir.ULE, hint, ir.Int(ir.I64, mapSlots)), slot, ir.Null)
	}
	b.store(types.Typ[types.UnsafePointer], slot, b.gep(header, dirPtr))
	return header
}

// lookup lowers m[k] and v, ok := m[k].
func (b *calls) lookup(in *mid.Lookup) {
	mt, ok := under(in.X.Type()).(*types.Map)
	if !ok { // string
		i := b.boundsCheck(in.Index, b.extract(b.operand(in.X), 1))
		p := b.IndexIn(ir.I8, b.extract(b.operand(in.X), 0), i)
		b.vals[in] = b.Load(ir.I8, p, 1)
		return
	}
	if plan.OpAssign(in) != nil {
		return // the update that uses it reads the element where it writes it
	}
	form, ptr := b.m.mapForm(mt)
	key := b.mapKey(form, ptr, mt.Key(), b.operand(in.Index), false)
	args := []ir.Value{b.m.typeDesc(in.X.Type()), b.operand(in.X), key}
	ti := b.m.info(mt.Elem())
	r := b.CallAt(ir.Struct(ir.Ptr, ir.I1), b.m.rtFunc("mapaccess2"+form), args...)
	p, found := b.extract(r, 0), b.extract(r, 1)
	if ti.size > 1024 { // the shared zero value is too small
		p = b.Select(found, p, b.m.zeroMem(ti.size))
	}
	v := b.copyOut(mt.Elem(), p)
	if in.CommaOk {
		b.tuples[in] = []ir.Value{v, found}
	} else {
		b.vals[in] = v
	}
}

// copyOut reads a value from memory that may change later.
func (b *calls) copyOut(t types.Type, p ir.Value) ir.Value {
	ti := b.m.info(t)
	if !ti.big {
		return b.load(t, p)
	}
	slot := b.Alloca(ti.size, ti.align)
	b.copyMem(slot, p, ti)
	return slot
}

func (b *calls) mapUpdate(in *mid.MapUpdate) {
	mt := under(in.Map.Type()).(*types.Map)
	form, ptr := b.m.mapForm(mt)
	key := b.mapKey(form, ptr, mt.Key(), b.operand(in.Key), true)
	name := "mapassign" + form
	if ptr {
		name += "ptr"
	}
	p := b.CallAt(ir.Ptr, b.m.rtFunc(name), b.m.typeDesc(in.Map.Type()), b.operand(in.Map), key)
	if op, ok := in.Value.(*mid.BinOp); ok {
		if l, ok := op.X.(*mid.Lookup); ok && plan.OpAssign(l) == in {
			b.vals[l] = b.load(mt.Elem(), p)
			b.binop(op)
		}
	}
	b.storeShaded(mt.Elem(), b.operand(in.Value), p, nil)
}

func (b *calls) mapDelete(mt *types.Map, m, key ir.Value) {
	form, ptr := b.m.mapForm(mt)
	k := b.mapKey(form, ptr, mt.Key(), key, false)
	b.CallAt(ir.Void, b.m.rtFunc("mapdelete"+form), b.m.typeDesc(mt), m, k)
}

// mapIterSize is the size of internal/runtime/maps.Iter, rounded up generously, with one
// word of ours at the end; a test holds it against the installed library.
const mapIterSize = 128

// rangeStart makes the iterator of a range over a map or string.
func (b *calls) rangeStart(in *mid.Range) {
	if isString(in.X.Type()) {
		it := b.Alloca(8, 8)
		b.Store(ir.Int(ir.I64, 0), it, 8)
		b.vals[in] = it
		return
	}
	it := b.Alloca(mapIterSize, 8)
	b.zeroSlot(it, mapIterSize, 8)
	b.CallAt(ir.Void, b.m.rtFunc("mapIterStart"), b.m.typeDesc(in.X.Type()), b.operand(in.X), it)
	b.vals[in] = it
}

func (b *calls) next(in *mid.Next) {
	r := in.Iter.(*mid.Range)
	it := b.operand(r)
	if in.IsString {
		b.nextRune(in, it, b.operand(r.X))
		return
	}
	// The iterator's first words are the addresses of the current key and element.
	// mapIterStart made the first step; each later one is made when it is asked for, as
	// the loop body may delete what would come next. The flag behind the iterator tells.
	mt := under(r.X.Type()).(*types.Map)
	flag := b.gep(it, mapIterSize-8)
	started := b.ICmp(ir.NE, b.Load(ir.I64, flag, 8), ir.Int(ir.I64, 0))
	b.Store(ir.Int(ir.I64, 1), flag, 8)
	step, cur := b.Label("step"), b.Label("cur")
	b.CondBr(started, step, cur)
	b.Cur = step
	b.CallAt(ir.Void, b.m.rtFunc("mapIterNext"), it)
	b.Br(cur)
	b.Cur = cur
	kp := b.Load(ir.Ptr, it, 8)
	ok := b.ICmp(ir.NE, kp, ir.Null)
	b.tuples[in] = []ir.Value{ok, {}, {}}
	get, done := b.Label("pair"), b.Label("pair.done")
	from := b.Cur
	b.CondBr(ok, get, done)
	b.Cur = get
	tt := in.Type().(*types.Tuple)
	vals := make([]ir.Value, 2)
	for i, t := range []types.Type{mt.Key(), mt.Elem()} {
		if basicInvalid(tt.At(i + 1).Type()) {
			continue
		}
		p := kp
		if i == 1 {
			p = b.Load(ir.Ptr, b.gep(it, 8), 8)
		}
		vals[i] = b.copyOut(t, p)
	}
	b.Br(done)
	b.Cur = done
	for i, t := range []types.Type{mt.Key(), mt.Elem()} {
		if !vals[i].IsSet() {
			continue
		}
		b.tuples[in][i+1] = b.join(b.m.lltype(t), ir.Edge{Value: b.m.zero(t), From: from}, ir.Edge{Value: vals[i], From: get})
	}
}

// nextRune lowers the step of a range over a string: (ok, byte index, rune).
func (b *calls) nextRune(in *mid.Next, it, s ir.Value) {
	p, n := b.extract(s, 0), b.extract(s, 1)
	i := b.Load(ir.I64, it, 8)
	ok := b.ICmp(ir.SLT, i, n)
	from := b.Cur
	get, multi, done := b.Label("rune"), b.Label("rune.multi"), b.Label("rune.done")
	b.CondBr(ok, get, done)
	b.Cur = get
	c := b.Load(ir.I8, b.IndexIn(ir.I8, p, i), 1)
	wide := b.Cast(ir.ZExt, c, ir.I32)
	b.Store(b.Add(i, ir.Int(ir.I64, 1)), it, 8)
	b.CondBr(b.ICmp(ir.SGE, c, ir.Int(ir.I8, 0)), done, multi)
	b.Cur = multi
	r := b.CallAt(ir.Struct(ir.I32, ir.I64), b.m.rtFunc("decoderune"), s, i)
	b.Store(b.extract(r, 1), it, 8)
	u := b.extract(r, 0)
	b.Br(done)
	b.Cur = done
	v := b.Fresh(ir.I32)
	done.Phi(v, ir.Edge{Value: ir.Int(ir.I32, 0), From: from}, ir.Edge{Value: wide, From: get}, ir.Edge{Value: u, From: multi})
	b.tuples[in] = []ir.Value{ok, i, v}
}
