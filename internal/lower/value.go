package lower

import (
	"fmt"
	"go/constant"
	"go/types"
	"unicode/utf8"

	"loam/internal/ir"
	"loam/internal/mid"
)

// operand returns the LLVM operand of an SSA value: for a small type its value, for a big
// one the address of its immutable copy.
func (b *fn) operand(v mid.Value) ir.Value {
	if s, ok := b.vals[v]; ok {
		if b.exact != nil && b.exact.lives[v] {
			b.exact.reads[v] = append(b.exact.reads[v], b.exact.in)
			var x ir.Value
			inHome(b, func() { x = b.load(v.Type(), b.exact.homes[v]) })
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

// zero returns the zero value of t as an operand. For a big type it is the address of
// zeroed read-only memory.
func (m *module) zero(t types.Type) ir.Value {
	ti := m.info(t)
	if ti.big {
		return m.zeroMem(ti.size)
	}
	return ir.Zero(ti.ll)
}

// zeroMem returns read-only zeroed memory of at least size bytes.
func (m *module) zeroMem(size int64) ir.Value {
	n := int64(64)
	for n < size {
		n *= 2
	}
	sym := fmt.Sprintf("loam.zero.%d", n)
	m.define(sym, func() ir.Definition {
		return m.merged(sym, ir.Definition{Hidden: true, Init: ir.Zero(ir.Array(n, ir.I8)), Section: noptrBSS, Align: 16})
	})
	return m.ref(sym)
}

// constant returns the operand of a constant.
func (m *module) constant(c *mid.Const) ir.Value { return m.constantOf(c.Value, c.Type()) }

func (m *module) constantOf(val constant.Value, t types.Type) ir.Value {
	if val == nil {
		return m.zero(t)
	}
	u, ok := under(t).(*types.Basic)
	if !ok {
		panic(fmt.Sprintf("lower: constant %v of type %v", val, t))
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return ir.Bool(constant.BoolVal(val))
	case info&types.IsString != 0:
		if val.Kind() == constant.Int {
			r := rune(utf8.RuneError)
			if i, ok := constant.Int64Val(val); ok && i == int64(rune(i)) {
				r = rune(i)
			}
			return m.stringConst(string(r))
		}
		return m.stringConst(constant.StringVal(val))
	case info&types.IsInteger != 0:
		return intConst(val, m.lltype(t))
	case info&types.IsFloat != 0:
		return floatConst(val, m.lltype(t))
	case info&types.IsComplex != 0:
		ll, v := m.lltype(t), constant.ToComplex(val)
		return ir.Aggregate(ll, floatConst(constant.Real(v), ll.At(0)), floatConst(constant.Imag(v), ll.At(1)))
	case u.Kind() == types.UnsafePointer:
		return ir.CastConst(ir.IntToPtr, intConst(val, ir.I64), ir.Ptr)
	}
	panic(fmt.Sprintf("lower: constant %v of type %v", val, t))
}

func intConst(val constant.Value, ll *ir.Type) ir.Value {
	val = constant.ToInt(val)
	if i, ok := constant.Int64Val(val); ok {
		return ir.Int(ll, i)
	}
	u, _ := constant.Uint64Val(val)
	return ir.Uint(ll, u)
}

// floatConst rounds a float to type ll.
func floatConst(val constant.Value, ll *ir.Type) ir.Value {
	val = constant.ToFloat(val)
	if ll == ir.Float {
		f, _ := constant.Float32Val(val)
		return ir.FloatConst(ll, float64(f))
	}
	f, _ := constant.Float64Val(val)
	return ir.FloatConst(ll, f)
}

// globalRef returns the address of a package variable.
func (m *module) globalRef(g *mid.Global) ir.Value {
	sym := m.globalSym(g)
	own := plainGlobalSym(g)
	// The link gives package fuzz its counters by variables without size.
	if !m.noHeap && g.Pkg.Pkg.Path() != "internal/fuzz" && m.info(under(g.Type()).(*types.Pointer).Elem()).size == 0 && !m.byAsm(own) {
		return m.zeroBase()
	}
	if g.Pkg == m.pkg && m.in.User && !m.definesLinked(g) && !m.byAsm(own) {
		// gc's linker takes the first definition that has a value, and if there is none any: a zero one.
		ti := m.info(under(g.Type()).(*types.Pointer).Elem())
		m.define(sym, func() ir.Definition {
			return ir.Definition{Linkage: ir.Weak, Init: ir.Zero(ir.Array(max(ti.size, 1), ir.I8)), Align: max(ti.align, 8)}
		})
	} else if g.Pkg != m.pkg || !m.definesLinked(g) && (sym != own || m.byAsm(own)) {
		m.out.Declare(m.ref(sym), ir.Declaration{Type: ir.I8})
	}
	return m.ref(sym)
}

// gep returns p advanced by off bytes.
func (b *fn) gep(p ir.Value, off int64) ir.Value {
	if off == 0 {
		return p
	}
	return b.IndexIn(ir.I8, p, ir.Int(ir.I64, off))
}

// load reads a value of type t; of a big type it returns the address itself.
func (b *fn) load(t types.Type, p ir.Value) ir.Value {
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

// store writes a value of type t.
func (b *fn) store(t types.Type, v, p ir.Value) {
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
func (b *fn) storePadded(t types.Type, v, p ir.Value, room int64) {
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
func (b *fn) copyMem(dst, src ir.Value, ti *typeInfo) {
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
func (b *fn) zeroSlot(p ir.Value, size, align int64) {
	if size > 0 {
		b.fillMem(p, ir.Int(ir.I64, size), align, false)
	}
}

// spill returns the address of memory that holds v: v itself if big, else a new slot.
func (b *fn) spill(v mid.Value) ir.Value { return b.spillVal(b.operand(v), v.Type()) }

func (b *fn) spillVal(op ir.Value, t types.Type) ir.Value {
	ti := b.m.info(t)
	if ti.big {
		return op
	}
	p := b.Alloca(ti.size, ti.align)
	b.store(t, op, p)
	return p
}

// extract returns component i of a small aggregate.
func (b *fn) extract(v ir.Value, i int) ir.Value { return b.ExtractAt(v, i) }

// The types of strings, slices and interfaces.
var (
	llString = ir.Struct(ir.Ptr, ir.I64)
	llSlice  = ir.Struct(ir.Ptr, ir.I64, ir.I64)
	llIface  = ir.Struct(ir.Ptr, ir.Ptr)
)

// pair, makeString, makeSliceVal and makeIface build the small aggregates.
func (b *fn) pair(ll *ir.Type, v0, v1 ir.Value) ir.Value {
	return b.InsertAt(b.InsertAt(ir.PoisonOf(ll), v0, 0), v1, 1)
}

func (b *fn) makeString(p, n ir.Value) ir.Value   { return b.pair(llString, p, n) }
func (b *fn) makeIface(t, data ir.Value) ir.Value { return b.pair(llIface, t, data) }

func (b *fn) makeSliceVal(p, n, c ir.Value) ir.Value {
	return b.InsertAt(b.pair(llSlice, p, n), c, 2)
}

// Parameters of LLVM's functions that move and fill memory; the last says whether it is volatile.
var (
	memmoveParams = append(typed(ir.Ptr, ir.Ptr, ir.I64), immediate(ir.I1)...)
	memsetParams  = append(typed(ir.Ptr, ir.I8, ir.I64), immediate(ir.I1)...)
)

func (m *module) memmove() ir.Value {
	return m.intrinsic("llvm.memmove.p0.p0.i64", ir.Void, memmoveParams...)
}

func (m *module) memset() ir.Value {
	return m.intrinsic("llvm.memset.p0.i64", ir.Void, memsetParams...)
}

// fillMem clears n bytes at p, whose alignment is unknown if it is 0.
func (b *fn) fillMem(p, n ir.Value, align int64, volatile bool) {
	b.CallWith(apart(b, aligned(align, 0, 4)), ir.Void, b.m.memset(), p, ir.Int(ir.I8, 0), n, ir.Bool(volatile))
}

// moveMem copies n bytes, between places that may overlap.
func (b *fn) moveMem(dst, src, n ir.Value, align int64) {
	b.CallWith(apart(b, aligned(align, align, 4)), ir.Void, b.m.memmove(), dst, src, n, ir.Bool(false))
}

// copyBytes copies n bytes, between places that do not overlap.
func (b *fn) copyBytes(dst, src, n ir.Value, dstAlign, srcAlign int64) {
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
