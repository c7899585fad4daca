package lower

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"

	"loam/internal/mid"
)

// operand returns the LLVM operand of an SSA value: for a small type its value, for a big
// one the address of its immutable copy.
func (b *fn) operand(v mid.Value) string {
	if s, ok := b.vals[v]; ok {
		if b.exact != nil && b.exact.lives[v] {
			b.exact.reads[v] = append(b.exact.reads[v], b.exact.in)
			return b.load(v.Type(), b.exact.homes[v])
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
func (m *module) zero(t types.Type) string {
	ti := m.info(t)
	if ti.big {
		return m.zeroMem(ti.size)
	}
	switch ti.ll {
	case "ptr":
		return "null"
	case "float", "double":
		return "0.0"
	case "i1":
		return "false"
	case "i8", "i16", "i32", "i64":
		return "0"
	}
	return "zeroinitializer"
}

// zeroMem returns read-only zeroed memory of at least size bytes.
func (m *module) zeroMem(size int64) string {
	n := int64(64)
	for n < size {
		n *= 2
	}
	sym := fmt.Sprintf("loam.zero.%d", n)
	m.define(sym, func() string {
		return fmt.Sprintf("%s = linkonce_odr hidden global [%d x i8] zeroinitializer, section \"%s\", comdat, align 16", m.comdat(sym), n, noptrBSS)
	})
	return quote(sym)
}

// constant returns the operand of a constant.
func (m *module) constant(c *mid.Const) string { return m.constantOf(c.Value, c.Type()) }

func (m *module) constantOf(val constant.Value, t types.Type) string {
	if val == nil {
		return m.zero(t)
	}
	u, ok := under(t).(*types.Basic)
	if !ok {
		panic(fmt.Sprintf("lower: constant %v of type %v", val, t))
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return fmt.Sprint(constant.BoolVal(val))
	case info&types.IsString != 0:
		if val.Kind() == constant.Int {
			i, _ := constant.Int64Val(val)
			return m.stringConst(string(rune(i)))
		}
		return m.stringConst(constant.StringVal(val))
	case info&types.IsInteger != 0:
		return intConst(val)
	case info&types.IsFloat != 0:
		return floatConst(constant.ToFloat(val), u.Kind())
	case info&types.IsComplex != 0:
		kind, ll := types.Float64, "double"
		if u.Kind() == types.Complex64 {
			kind, ll = types.Float32, "float"
		}
		v := constant.ToComplex(val)
		return fmt.Sprintf("{ %s %s, %s %s }", ll, floatConst(constant.Real(v), kind), ll, floatConst(constant.Imag(v), kind))
	case u.Kind() == types.UnsafePointer:
		return "inttoptr (i64 " + intConst(val) + " to ptr)"
	}
	panic(fmt.Sprintf("lower: constant %v of type %v", val, t))
}

func intConst(val constant.Value) string {
	val = constant.ToInt(val)
	if i, ok := constant.Int64Val(val); ok {
		return fmt.Sprint(i)
	}
	u, _ := constant.Uint64Val(val)
	return fmt.Sprint(u)
}

// floatConst spells a float as LLVM wants it: the bits of the double, for float32 too.
func floatConst(val constant.Value, kind types.BasicKind) string {
	val = constant.ToFloat(val)
	var f float64
	if kind == types.Float32 {
		g, _ := constant.Float32Val(val)
		f = float64(g)
	} else {
		f, _ = constant.Float64Val(val)
	}
	return fmt.Sprintf("0x%016X", math.Float64bits(f))
}

// globalRef returns the address of a package variable.
func (m *module) globalRef(g *mid.Global) string {
	sym := m.globalSym(g)
	own := plainGlobalSym(g)
	if g.Pkg == m.pkg && m.in.User && !m.definesLinked(g) && !m.byAsm(own) {
		// gc's linker takes the first definition that has a value, and if there is none any: a zero one.
		ti := m.info(under(g.Type()).(*types.Pointer).Elem())
		m.define(sym, func() string {
			return fmt.Sprintf("%s = weak global [%d x i8] zeroinitializer, align %d", quote(sym), max(ti.size, 1), max(ti.align, 8))
		})
	} else if g.Pkg != m.pkg || !m.definesLinked(g) && (sym != own || m.byAsm(own)) {
		m.declare(sym, fmt.Sprintf("%s = external global i8", quote(sym)))
	}
	return quote(sym)
}

// gep returns p advanced by off bytes.
func (b *fn) gep(p string, off int64) string {
	if off == 0 {
		return p
	}
	return b.Op("getelementptr inbounds i8, ptr %s, i64 %d", p, off)
}

// load reads a value of type t; of a big type it returns the address itself.
func (b *fn) load(t types.Type, p string) string {
	ti := b.m.info(t)
	switch {
	case ti.big:
		return p
	case ti.leaves == 0:
		return b.m.zero(t)
	case ti.ll == "i1":
		return b.Op("trunc i8 %s to i1", b.Op("load i8, ptr %s, align 1", p))
	}
	return b.Op("load %s, ptr %s, align %d", ti.ll, p, ti.align)
}

// store writes a value of type t.
func (b *fn) store(t types.Type, v, p string) {
	ti := b.m.info(t)
	switch {
	case ti.size == 0:
	case ti.big:
		b.copyMem(p, v, ti)
	case ti.ll == "i1":
		b.Do("store i8 %s, ptr %s, align 1", b.Op("zext i1 %s to i8", v), p)
	case ti.bytes < ti.size:
		b.storePadded(t, v, p, ti.size)
	default:
		b.Do("store %s %s, ptr %s, align %d", ti.ll, v, p, ti.align)
	}
}

// storePadded stores a small value into room bytes and clears those that its scalars leave. What
// lay there before may be most of a pointer, for which the collector would take the word wherever
// it is copied to.
func (b *fn) storePadded(t types.Type, v, p string, room int64) {
	ti := b.m.info(t)
	switch u := under(t).(type) {
	case *types.Struct:
		offsets, end := b.m.fieldOffsets(u), room
		for i := u.NumFields() - 1; i >= 0; i-- {
			if ft := u.Field(i).Type(); b.m.info(ft).size > 0 {
				b.storePadded(ft, b.extract(ti.ll, v, i), b.gep(p, offsets[i]), end-offsets[i])
				end = offsets[i]
			}
		}
		return
	case *types.Array:
		b.storePadded(u.Elem(), b.extract(ti.ll, v, 0), p, room)
		return
	}
	if whole := room == 2 || room == 4 || room == 8; ti.leaves == 1 && ti.size < room && whole {
		bits := ti.ll
		if bits == "float" {
			v, bits = b.Op("bitcast float %s to i32", v), "i32"
		}
		b.Do("store i%d %s, ptr %s, align %d", room*8, b.Op("zext %s %s to i%d", bits, v, room*8), p, ti.align)
		return
	}
	b.store(t, v, p)
	b.zeroSlot(b.gep(p, ti.size), room-ti.size, 1)
}

// copyMem copies a value in memory; source and destination may overlap exactly or partly.
func (b *fn) copyMem(dst, src string, ti *typeInfo) {
	if dst == src || ti.size == 0 {
		return
	}
	b.Do("call void @llvm.memmove.p0.p0.i64(ptr align %d %s, ptr align %d %s, i64 %d, i1 false)", ti.align, dst, ti.align, src, ti.size)
}

// zeroSlot clears size bytes at p.
func (b *fn) zeroSlot(p string, size, align int64) {
	if size > 0 {
		b.Do("call void @llvm.memset.p0.i64(ptr align %d %s, i8 0, i64 %d, i1 false)", align, p, size)
	}
}

// spill returns the address of memory that holds v: v itself if big, else a new slot.
func (b *fn) spill(v mid.Value) string { return b.spillVal(b.operand(v), v.Type()) }

func (b *fn) spillVal(op string, t types.Type) string {
	ti := b.m.info(t)
	if ti.big {
		return op
	}
	p := b.Alloca(ti.size, ti.align)
	b.store(t, op, p)
	return p
}

// extract returns component i of a small aggregate.
func (b *fn) extract(ll, v string, i int) string { return b.Op("extractvalue %s %s, %d", ll, v, i) }

const (
	llString = "{ ptr, i64 }"
	llSlice  = "{ ptr, i64, i64 }"
	llIface  = "{ ptr, ptr }"
)

// makeString, makeSliceVal and makeIface build the small aggregates.
func (b *fn) pair(ll, t0, v0, t1, v1 string) string {
	x := b.Op("insertvalue %s poison, %s %s, 0", ll, t0, v0)
	return b.Op("insertvalue %s %s, %s %s, 1", ll, x, t1, v1)
}

func (b *fn) makeString(p, n string) string   { return b.pair(llString, "ptr", p, "i64", n) }
func (b *fn) makeIface(t, data string) string { return b.pair(llIface, "ptr", t, "ptr", data) }

func (b *fn) makeSliceVal(p, n, c string) string {
	x := b.pair(llSlice, "ptr", p, "i64", n)
	return b.Op("insertvalue %s %s, i64 %s, 2", llSlice, x, c)
}
