package lower

import (
	"fmt"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// operand returns the LLVM operand of an SSA value: for a small type its value, for a big
// one the address of its immutable copy.
func (b *code) operand(v mid.Value) ir.Value {
	if s, ok := b.vals[v]; ok {
		if b.exact != nil && b.exact.lives[v] {
			b.exact.reads[v] = append(b.exact.reads[v], b.exact.in)
			var x ir.Value
			inHome(b, func() { x = b.loadStored(v.Type(), b.exact.homes[v]) })
			return x
		}
		return s
	}
	switch v := v.(type) {
	case *mid.Const:
		return b.m.constant(v)
	case *mid.Global:
		return b.m.globalRef(v)
	case *mid.Func:
		return b.m.funcValue(v)
	case *mid.ChangeType:
		return b.operand(v.X)
	}
	panic(fmt.Sprintf("lower: no operand for %s = %s (%T)", v.Name(), v, v))
}

// gep returns p advanced by off bytes.
func (b *code) gep(p ir.Value, off int64) ir.Value {
	if off == 0 {
		return p
	}
	return b.IndexIn(ir.I8, p, ir.Int(ir.I64, off))
}

// load reads a value of type t; of a big type it returns the address itself.
func (b *code) load(t types.Type, p ir.Value) ir.Value {
	ti := b.m.info(t)
	switch {
	case ti.big:
		return p
	case ti.leaves == 0:
		return b.m.zero(t)
	case ti.ll == ir.I1:
		return b.Cast(ir.Trunc, b.Load(ir.I8, p, 1), ir.I1)
	}
	return b.Load(ti.ll, p, ti.align)
}

// loadStored reads a value of type t that has just been stored at p, word by word: a callee's
// result, or what is in a home. LLVM likes to copy two words with one load of 16 bytes, which the
// processor cannot serve from the two stores that it covers before they have reached the cache: it
// waits a dozen cycles. Unordered atomic loads stay single; they are forwarded and removed like
// others.
func (b *code) loadStored(t types.Type, p ir.Value) ir.Value {
	ti := b.m.info(t)
	if ti.big || ti.leaves == 0 {
		return b.load(t, p)
	}
	words := leaves(ti.ll)
	for _, w := range words {
		if w.ll != ir.Ptr && w.ll != ir.I64 && w.ll != ir.Double {
			return b.load(t, p)
		}
	}
	how := ir.Access{Align: 8, Ordering: ir.Unordered}
	whole := ir.PoisonOf(ti.ll)
	for _, w := range words {
		if len(w.path) == 0 {
			return b.LoadAs(w.ll, p, how)
		}
		whole = b.InsertAt(whole, b.LoadAs(w.ll, b.PartIn(ti.ll, p, w.path), how), w.path...)
	}
	return whole
}

// store writes a value of type t.
func (b *code) store(t types.Type, v, p ir.Value) {
	ti := b.m.info(t)
	switch {
	case ti.size == 0:
	case ti.big:
		b.copyMem(p, v, ti)
	case ti.ll == ir.I1:
		b.Store(b.Cast(ir.ZExt, v, ir.I8), p, 1)
	case ti.bytes < ti.size:
		b.storePadded(t, v, p, ti.size)
	default:
		b.Store(v, p, ti.align)
	}
}

// storePadded stores a small value into room bytes and clears those that its scalars leave. What
// lay there before may be most of a pointer, for which the collector would take the word wherever
// it is copied to.
func (b *code) storePadded(t types.Type, v, p ir.Value, room int64) {
	ti := b.m.info(t)
	switch u := under(t).(type) {
	case *types.Struct:
		offsets, end := b.m.fieldOffsets(u), room
		for i := u.NumFields() - 1; i >= 0; i-- {
			if ft := u.Field(i).Type(); b.m.info(ft).size > 0 {
				b.storePadded(ft, b.extract(v, i), b.gep(p, offsets[i]), end-offsets[i])
				end = offsets[i]
			}
		}
		return
	case *types.Array:
		b.storePadded(u.Elem(), b.extract(v, 0), p, room)
		return
	}
	if whole := room == 2 || room == 4 || room == 8; ti.leaves == 1 && ti.size < room && whole {
		if ti.ll == ir.Float {
			v = b.Cast(ir.Bitcast, v, ir.I32)
		}
		b.Store(b.Cast(ir.ZExt, v, ir.IntType(int(room)*8)), p, ti.align)
		return
	}
	b.store(t, v, p)
	b.zeroSlot(b.gep(p, ti.size), room-ti.size, 1)
}

// copyMem copies a value in memory; source and destination may overlap exactly or partly.
func (b *code) copyMem(dst, src ir.Value, ti *typeInfo) {
	if dst == src || ti.size == 0 {
		return
	}
	if b.indexed[src] {
		b.copyWords(dst, src, ti.size)
		return
	}
	b.moveMem(dst, src, ir.Int(ir.I64, ti.size), ti.align)
}

// zeroSlot clears size bytes at p.
func (b *code) zeroSlot(p ir.Value, size, align int64) {
	if size > 0 {
		b.fillMem(p, ir.Int(ir.I64, size), align, false)
	}
}

// spill returns the address of memory that holds v: v itself if big, else a new slot.
func (b *code) spill(v mid.Value) ir.Value { return b.spillVal(b.operand(v), v.Type()) }

func (b *code) spillVal(op ir.Value, t types.Type) ir.Value {
	ti := b.m.info(t)
	if ti.big {
		return op
	}
	p := b.Alloca(ti.size, ti.align)
	b.store(t, op, p)
	return p
}

// extract returns component i of a small aggregate.
func (b *code) extract(v ir.Value, i int) ir.Value { return b.ExtractAt(v, i) }

// pair, makeString, makeSliceVal and makeIface build the small aggregates.
func (b *code) pair(ll *ir.Type, v0, v1 ir.Value) ir.Value {
	return b.InsertAt(b.InsertAt(ir.PoisonOf(ll), v0, 0), v1, 1)
}

func (b *code) makeString(p, n ir.Value) ir.Value   { return b.pair(llString, p, n) }
func (b *code) makeIface(t, data ir.Value) ir.Value { return b.pair(llIface, t, data) }

func (b *code) makeSliceVal(p, n, c ir.Value) ir.Value {
	return b.InsertAt(b.pair(llSlice, p, n), c, 2)
}

// fillMem clears n bytes at p, whose alignment is unknown if it is 0.
func (b *code) fillMem(p, n ir.Value, align int64, volatile bool) {
	b.CallWith(apart(b, aligned(align, 0, 4)), ir.Void, b.m.memset(), p, ir.Int(ir.I8, 0), n, ir.Bool(volatile))
}

// moveMem copies n bytes, between places that may overlap.
func (b *code) moveMem(dst, src, n ir.Value, align int64) {
	b.CallWith(apart(b, aligned(align, align, 4)), ir.Void, b.m.memmove(), dst, src, n, ir.Bool(false))
}

// copyBytes copies n bytes, between places that do not overlap.
func (b *code) copyBytes(dst, src, n ir.Value, dstAlign, srcAlign int64) {
	memcpy := b.m.intrinsic("llvm.memcpy.p0.p0.i64", ir.Void, memmoveParams...)
	b.CallWith(apart(b, aligned(dstAlign, srcAlign, 4)), ir.Void, memcpy, dst, src, n, ir.Bool(false))
}

// aligned says how the first and second of n arguments are aligned, as far as it is known.
func aligned(first, second int64, n int) *ir.CallInfo {
	if first == 0 && second == 0 {
		return nil
	}
	attrs := make([]ir.ParamAttr, n)
	attrs[0].Align, attrs[1].Align = first, second
	return &ir.CallInfo{Params: attrs}
}
