package lower

import (
	"fmt"
	"go/types"

	"loam/internal/ir"
)

// Equality and hash functions, one a type, linkonce, called through descriptors, by maps
// and by comparisons of values that are not compared in line.
//
// equality: i1 (ptr x, ptr y). Elements are compared in order, fields in the order of eqorder.go,
// and the first difference ends the comparison (a later interface holding an uncomparable value
// then does not panic); blank fields are not looked at. Neighbouring fields of plain memory
// without padding are compared as one run.
//
// hash: i64 (ptr x, i64 seed). It must agree with the run-time system's walk over the
// descriptor (typehash), which hashes maps that reflect made: fields one by one, except
// that a type all of which is plain memory is hashed as one piece.

// regularMemory reports whether values of t are equal exactly if their bytes are: no
// floats, strings, interfaces, no blank fields, no padding.
func (m *data) regularMemory(t types.Type) bool {
	if r, ok := m.regular[t]; ok {
		return r
	}
	r := m.isRegularMemory(t)
	m.regular[t] = r
	return r
}

func (m *data) isRegularMemory(t types.Type) bool {
	switch u := under(t).(type) {
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsInteger) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return m.regularMemory(u.Elem()) || u.Len() == 0 && types.Comparable(u.Elem())
	case *types.Struct:
		offs := m.fieldOffsets(u)
		end := int64(0)
		for i := range offs {
			f := u.Field(i)
			if f.Name() == "_" || offs[i] != end || !m.regularMemory(f.Type()) {
				return false
			}
			end = offs[i] + m.sizes.Sizeof(f.Type())
		}
		return end == m.sizes.Sizeof(t)
	}
	return false
}

// memoryRun returns the run of plain memory that starts at field i: its length in bytes
// and the index of the first field after it.
func (m *data) memoryRun(u *types.Struct, offs []int64, i int) (size int64, next int) {
	end := offs[i]
	for next = i; next < len(offs); next++ {
		f := u.Field(next)
		if f.Name() == "_" || offs[next] != end || !m.regularMemory(f.Type()) {
			break
		}
		end += m.sizes.Sizeof(f.Type())
	}
	return end - offs[i], next
}

// eqFunc returns the operand of the equality function of comparable type t.
func (m *data) eqFunc(t types.Type) ir.Value {
	sym := m.eqSym(t)
	m.define(sym, func() ir.Definition {
		e := newAlg(m)
		x, y := ir.NamedValue("x", ir.Ptr), ir.NamedValue("y", ir.Ptr)
		e.equal(t, x, y)
		e.f.Ret(ir.Bool(true))
		if e.differ != nil {
			e.f.Cur = e.differ
			e.f.Ret(ir.Bool(false))
		}
		params := []ir.Parameter{{Value: x}, {Value: y}}
		m.verify(e.f, sym, params, ir.I1)
		return m.merged(sym, ir.Definition{Func: &ir.FuncDef{Ret: ir.I1, Params: params, Group: ordinary, Body: e.f}})
	})
	return m.ref(sym)
}

// eqSym names the equality function; types that are compared alike share one.
func (m *data) eqSym(t types.Type) string {
	if m.regularMemory(t) {
		return fmt.Sprintf("eq:mem%d", m.sizes.Sizeof(t))
	}
	switch u := under(t).(type) {
	case *types.Basic:
		return "eq:" + basicName(u)
	case *types.Interface:
		if u.NumMethods() == 0 {
			return "eq:eface"
		}
		return "eq:iface"
	}
	return "eq:" + m.typeName(t)
}

// hashFunc returns the operand of the hash function of comparable type t.
func (m *data) hashFunc(t types.Type) ir.Value {
	sym := m.hashSym(t)
	if m.regularMemory(t) && (m.sizes.Sizeof(t) == 4 || m.sizes.Sizeof(t) == 8) {
		return m.rtFunc(fmt.Sprintf("memhash%d", m.sizes.Sizeof(t)*8))
	}
	if f := m.runtimeHash(t); f.IsSet() {
		return f
	}
	m.define(sym, func() ir.Definition {
		e := newAlg(m)
		x, seed := ir.NamedValue("x", ir.Ptr), ir.NamedValue("h", ir.I64)
		e.f.Ret(e.hash(t, x, seed))
		params := []ir.Parameter{{Value: x}, {Value: seed}}
		m.verify(e.f, sym, params, ir.I64)
		return m.merged(sym, ir.Definition{Func: &ir.FuncDef{Ret: ir.I64, Params: params, Group: ordinary, Body: e.f}})
	})
	return m.ref(sym)
}

func (m *data) hashSym(t types.Type) string {
	if m.regularMemory(t) {
		return fmt.Sprintf("hash:mem%d", m.sizes.Sizeof(t))
	}
	return "hash:" + m.typeName(t)
}

// runtimeHash returns the run-time system's hash function for types that have one of
// their own, none for others.
func (m *data) runtimeHash(t types.Type) ir.Value {
	switch u := under(t).(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Float32:
			return m.rtFunc("f32hash")
		case types.Float64:
			return m.rtFunc("f64hash")
		case types.Complex64:
			return m.rtFunc("c64hash")
		case types.Complex128:
			return m.rtFunc("c128hash")
		case types.String:
			return m.rtFunc("strhash")
		}
	case *types.Interface:
		if u.NumMethods() == 0 {
			return m.rtFunc("nilinterhash")
		}
		return m.rtFunc("interhash")
	}
	return ir.Value{}
}

// inlineParts is the number of array elements up to which loops are unrolled.
const inlineParts = 4

// alg writes the body of one equality or hash function.
type alg struct {
	m      *data
	f      *ir.Func
	differ *ir.Block // returns false
}

func newAlg(m *data) *alg {
	e := &alg{m: m, f: m.out.NewFunc()}
	e.f.Cur = e.f.NewBlock("start")
	return e
}

// require goes on only if the i1 operand is true, and otherwise returns false.
func (e *alg) require(cond ir.Value) {
	if e.differ == nil {
		e.differ = e.f.NewBlock("differ")
	}
	next := e.f.Label("next")
	e.f.CondBr(cond, next, e.differ)
	e.f.Cur = next
}

// at returns the address off bytes after p.
func (e *alg) at(p ir.Value, off int64) ir.Value {
	if off == 0 {
		return p
	}
	return e.f.Index(ir.I8, p, ir.Int(ir.I64, off))
}

// equal compares the values of type t at x and y.
func (e *alg) equal(t types.Type, x, y ir.Value) {
	if e.m.regularMemory(t) {
		e.memory(x, y, e.m.sizes.Sizeof(t))
		return
	}
	switch u := under(t).(type) {
	case *types.Basic:
		e.basic(u, x, y)
	case *types.Interface:
		e.iface(u.NumMethods() > 0, x, y)
	case *types.Struct:
		e.equalFields(u, x, y)
	case *types.Array:
		e.elements(u, func(off ir.Value) {
			e.equal(u.Elem(), e.offset(x, off), e.offset(y, off))
		})
	default:
		panic(fmt.Sprintf("lower: comparison of %v", t))
	}
}

// equalFields compares the fields of structs in the order of eqorder.go; neighbouring fields of
// plain memory are compared as one run.
func (e *alg) equalFields(u *types.Struct, x, y ir.Value) {
	offs := e.m.fieldOffsets(u)
	done := 0 // fields before it have been compared with the run they are in
	for _, step := range comparisonOrder(u) {
		fx, fy := e.at(x, offs[step.field]), e.at(y, offs[step.field])
		switch step.part {
		case eqLength:
			e.stringLengths(fx, fy)
		case eqContents:
			e.stringContents(fx, fy)
		case eqWhole:
			size, next := e.m.memoryRun(u, offs, step.field)
			switch {
			case next == step.field:
				e.equal(u.Field(step.field).Type(), fx, fy)
			case step.field >= done:
				e.memory(fx, fy, size)
				done = next
			}
		}
	}
}

func (e *alg) stringLengths(x, y ir.Value) {
	n := e.f.Load(ir.I64, e.at(x, 8), 0)
	k := e.f.Load(ir.I64, e.at(y, 8), 0)
	e.require(e.f.ICmp(ir.EQ, n, k))
}

// stringContents compares the bytes of strings of equal length.
func (e *alg) stringContents(x, y ir.Value) {
	n := e.f.Load(ir.I64, e.at(x, 8), 0)
	p := e.f.Load(ir.Ptr, x, 0)
	q := e.f.Load(ir.Ptr, y, 0)
	e.bytes(p, q, n)
}

func (e *alg) offset(p, off ir.Value) ir.Value {
	if off == ir.Int(ir.I64, 0) {
		return p
	}
	return e.f.Index(ir.I8, p, off)
}

// elements runs body for the byte offset of every element of array type u, in a loop if
// there are many.
func (e *alg) elements(u *types.Array, body func(off ir.Value)) {
	size := e.m.sizes.Sizeof(u.Elem())
	if u.Len() <= inlineParts {
		for i := int64(0); i < u.Len(); i++ {
			body(ir.Int(ir.I64, i*size))
		}
		return
	}
	i := e.f.Alloca(8, 8)
	e.f.Store(ir.Int(ir.I64, 0), i, 0)
	head, loop, done := e.f.Label("head"), e.f.Label("loop"), e.f.Label("done")
	e.f.Br(head)
	e.f.Cur = head
	n := e.f.Load(ir.I64, i, 0)
	c := e.f.ICmp(ir.ULT, n, ir.Int(ir.I64, u.Len()))
	e.f.CondBr(c, loop, done)
	e.f.Cur = loop
	body(e.f.Mul(n, ir.Int(ir.I64, size)))
	e.f.Store(e.f.Add(n, ir.Int(ir.I64, 1)), i, 0)
	e.f.Br(head)
	e.f.Cur = done
}

// memory compares size bytes.
func (e *alg) memory(x, y ir.Value, size int64) {
	switch size {
	case 0:
	case 1, 2, 4, 8, 16:
		t := ir.IntType(int(size) * 8)
		a := e.f.Load(t, x, 1)
		b := e.f.Load(t, y, 1)
		e.require(e.f.ICmp(ir.EQ, a, b))
	default:
		e.bytes(x, y, ir.Int(ir.I64, size))
	}
}

// bytes compares n bytes by bcmp, which LLVM expands in line if n is a small constant.
func (e *alg) bytes(x, y, n ir.Value) {
	bcmp := e.m.plain("bcmp")
	e.m.out.Declare(bcmp, entry(ordinary, ir.I32, ir.Ptr, ir.Ptr, ir.I64))
	r := e.f.Call(ir.I32, bcmp, x, y, n)
	e.require(e.f.ICmp(ir.EQ, r, ir.Int(ir.I32, 0)))
}

func (e *alg) basic(u *types.Basic, x, y ir.Value) {
	float := func(t *ir.Type, off int64) {
		a := e.f.Load(t, e.at(x, off), 0)
		b := e.f.Load(t, e.at(y, off), 0)
		e.require(e.f.FCmp(ir.OEQ, a, b))
	}
	switch u.Kind() {
	case types.Float32:
		float(ir.Float, 0)
	case types.Float64:
		float(ir.Double, 0)
	case types.Complex64:
		float(ir.Float, 0)
		float(ir.Float, 4)
	case types.Complex128:
		float(ir.Double, 0)
		float(ir.Double, 8)
	case types.String:
		e.stringLengths(x, y)
		e.stringContents(x, y)
	default:
		panic(fmt.Sprintf("lower: comparison of %v", u))
	}
}

// iface compares interfaces: the dynamic types, then, if there is one, the values by the
// type's equality function. Itabs are not unique, so their types are compared.
func (e *alg) iface(methods bool, x, y ir.Value) {
	s := e.f.Load(ir.Ptr, x, 0)
	t := e.f.Load(ir.Ptr, y, 0)
	if methods {
		s, t = e.itabType(s), e.itabType(t)
	}
	e.require(e.f.ICmp(ir.EQ, s, t))
	isNil := e.f.ICmp(ir.EQ, s, ir.Null)
	compare, done := e.f.Label("dynamic"), e.f.Label("same")
	e.f.CondBr(isNil, done, compare)
	e.f.Cur = compare
	a := e.f.Load(ir.Ptr, e.at(x, 8), 0)
	b := e.f.Load(ir.Ptr, e.at(y, 8), 0)
	e.require(e.f.Call(ir.I1, e.m.rtFunc("efaceeq"), s, a, b))
	e.f.Br(done)
	e.f.Cur = done
}

// itabType returns the dynamic type of an itab, nil for nil.
func (e *alg) itabType(tab ir.Value) ir.Value {
	slot := e.f.Alloca(8, 8)
	e.f.Store(ir.Null, slot, 0)
	load, done := e.f.Label("itab"), e.f.Label("type")
	e.f.CondBr(e.f.ICmp(ir.EQ, tab, ir.Null), done, load)
	e.f.Cur = load
	e.f.Store(e.f.Load(ir.Ptr, e.at(tab, 8), 0), slot, 0)
	e.f.Br(done)
	e.f.Cur = done
	return e.f.Load(ir.Ptr, slot, 0)
}

// hash returns the operand of the hash of the value of type t at x, seeded with h.
func (e *alg) hash(t types.Type, x, h ir.Value) ir.Value {
	m := e.m
	if m.regularMemory(t) {
		size := m.sizes.Sizeof(t)
		if size == 4 || size == 8 {
			return e.f.Call(ir.I64, m.rtFunc(fmt.Sprintf("memhash%d", size*8)), x, h)
		}
		return e.f.Call(ir.I64, m.rtFunc("memhash"), x, h, ir.Int(ir.I64, size))
	}
	if f := m.runtimeHash(t); f.IsSet() {
		return e.f.Call(ir.I64, f, x, h)
	}
	switch u := under(t).(type) {
	case *types.Struct:
		for i, off := range m.fieldOffsets(u) {
			if f := u.Field(i); f.Name() != "_" {
				h = e.hash(f.Type(), e.at(x, off), h)
			}
		}
		return h
	case *types.Array:
		slot := e.f.Alloca(8, 8)
		e.f.Store(h, slot, 0)
		e.elements(u, func(off ir.Value) {
			h := e.f.Load(ir.I64, slot, 0)
			e.f.Store(e.hash(u.Elem(), e.offset(x, off), h), slot, 0)
		})
		return e.f.Load(ir.I64, slot, 0)
	}
	panic(fmt.Sprintf("lower: hash of %v", t))
}
