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

// regularMemory tells whether values of t are equal exactly if their bytes are: no
// floats, strings, interfaces, no blank fields, no padding.
func (m *module) regularMemory(t types.Type) bool {
	if r, ok := m.tt.regular[t]; ok {
		return r
	}
	r := m.isRegularMemory(t)
	m.tt.regular[t] = r
	return r
}

func (m *module) isRegularMemory(t types.Type) bool {
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
func (m *module) memoryRun(u *types.Struct, offs []int64, i int) (size int64, next int) {
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
func (m *module) eqFunc(t types.Type) string {
	sym := m.eqSym(t)
	m.define(sym, func() string {
		e := newAlg(m)
		e.equal(t, "%x", "%y")
		e.f.Term("ret i1 true")
		if e.differ != nil {
			e.f.Cur = e.differ
			e.f.Term("ret i1 false")
		}
		return fmt.Sprintf("define linkonce_odr i1 %s(ptr %%x, ptr %%y) #0 comdat {\n%s}", m.comdat(sym), e.f.Body())
	})
	return quote(sym)
}

// eqSym names the equality function; types that are compared alike share one.
func (m *module) eqSym(t types.Type) string {
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
func (m *module) hashFunc(t types.Type) string {
	sym := m.hashSym(t)
	if m.regularMemory(t) && (m.sizes.Sizeof(t) == 4 || m.sizes.Sizeof(t) == 8) {
		return m.rtFunc(fmt.Sprintf("memhash%d", m.sizes.Sizeof(t)*8))
	}
	if f := m.runtimeHash(t); f != "" {
		return f
	}
	m.define(sym, func() string {
		e := newAlg(m)
		h := e.hash(t, "%x", "%h")
		e.f.Term("ret i64 %s", h)
		return fmt.Sprintf("define linkonce_odr i64 %s(ptr %%x, i64 %%h) #0 comdat {\n%s}", m.comdat(sym), e.f.Body())
	})
	return quote(sym)
}

func (m *module) hashSym(t types.Type) string {
	if m.regularMemory(t) {
		return fmt.Sprintf("hash:mem%d", m.sizes.Sizeof(t))
	}
	return "hash:" + m.typeName(t)
}

// runtimeHash returns the run-time system's hash function for types that have one of
// their own, "" for others.
func (m *module) runtimeHash(t types.Type) string {
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
	return ""
}

// inlineParts is the number of array elements up to which loops are unrolled.
const inlineParts = 4

// alg writes the body of one equality or hash function.
type alg struct {
	m      *module
	f      *ir.Func
	differ *ir.Block // returns false
}

func newAlg(m *module) *alg {
	e := &alg{m: m, f: &ir.Func{}}
	e.f.Cur = e.f.NewBlock("start")
	return e
}

// require goes on only if the i1 operand is true, and otherwise returns false.
func (e *alg) require(cond string) {
	if e.differ == nil {
		e.differ = e.f.NewBlock("differ")
	}
	next := e.f.Label("next")
	e.f.Term("br i1 %s, label %%%s, label %%%s", cond, next.Label, e.differ.Label)
	e.f.Cur = next
}

// at returns the address off bytes after p.
func (e *alg) at(p string, off int64) string {
	if off == 0 {
		return p
	}
	return e.f.Op("getelementptr i8, ptr %s, i64 %d", p, off)
}

// equal compares the values of type t at x and y.
func (e *alg) equal(t types.Type, x, y string) {
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
		e.elements(u, func(off string) {
			e.equal(u.Elem(), e.offset(x, off), e.offset(y, off))
		})
	default:
		panic(fmt.Sprintf("lower: comparison of %v", t))
	}
}

// equalFields compares the fields of structs in the order of eqorder.go; neighbouring fields of
// plain memory are compared as one run.
func (e *alg) equalFields(u *types.Struct, x, y string) {
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

func (e *alg) stringLengths(x, y string) {
	n := e.f.Op("load i64, ptr %s", e.at(x, 8))
	k := e.f.Op("load i64, ptr %s", e.at(y, 8))
	e.require(e.f.Op("icmp eq i64 %s, %s", n, k))
}

// stringContents compares the bytes of strings of equal length.
func (e *alg) stringContents(x, y string) {
	n := e.f.Op("load i64, ptr %s", e.at(x, 8))
	p := e.f.Op("load ptr, ptr %s", x)
	q := e.f.Op("load ptr, ptr %s", y)
	e.bytes(p, q, n)
}

func (e *alg) offset(p, off string) string {
	if off == "0" {
		return p
	}
	return e.f.Op("getelementptr i8, ptr %s, i64 %s", p, off)
}

// elements runs body for the byte offset of every element of array type u, in a loop if
// there are many.
func (e *alg) elements(u *types.Array, body func(off string)) {
	size := e.m.sizes.Sizeof(u.Elem())
	if u.Len() <= inlineParts {
		for i := int64(0); i < u.Len(); i++ {
			body(fmt.Sprint(i * size))
		}
		return
	}
	i := e.f.Alloca(8, 8)
	e.f.Do("store i64 0, ptr %s", i)
	head, loop, done := e.f.Label("head"), e.f.Label("loop"), e.f.Label("done")
	e.f.Term("br label %%%s", head.Label)
	e.f.Cur = head
	n := e.f.Op("load i64, ptr %s", i)
	c := e.f.Op("icmp ult i64 %s, %d", n, u.Len())
	e.f.Term("br i1 %s, label %%%s, label %%%s", c, loop.Label, done.Label)
	e.f.Cur = loop
	body(e.f.Op("mul i64 %s, %d", n, size))
	e.f.Do("store i64 %s, ptr %s", e.f.Op("add i64 %s, 1", n), i)
	e.f.Term("br label %%%s", head.Label)
	e.f.Cur = done
}

// memory compares size bytes.
func (e *alg) memory(x, y string, size int64) {
	switch size {
	case 0:
	case 1, 2, 4, 8, 16:
		t := fmt.Sprintf("i%d", size*8)
		a := e.f.Op("load %s, ptr %s, align 1", t, x)
		b := e.f.Op("load %s, ptr %s, align 1", t, y)
		e.require(e.f.Op("icmp eq %s %s, %s", t, a, b))
	default:
		e.bytes(x, y, fmt.Sprint(size))
	}
}

// bytes compares n bytes by bcmp, which LLVM expands in line if n is a small constant.
func (e *alg) bytes(x, y, n string) {
	e.m.declare("bcmp", "declare i32 @bcmp(ptr, ptr, i64) #0")
	r := e.f.Op("call i32 @bcmp(ptr %s, ptr %s, i64 %s)", x, y, n)
	e.require(e.f.Op("icmp eq i32 %s, 0", r))
}

func (e *alg) basic(u *types.Basic, x, y string) {
	float := func(t string, off int64) {
		a := e.f.Op("load %s, ptr %s", t, e.at(x, off))
		b := e.f.Op("load %s, ptr %s", t, e.at(y, off))
		e.require(e.f.Op("fcmp oeq %s %s, %s", t, a, b))
	}
	switch u.Kind() {
	case types.Float32:
		float("float", 0)
	case types.Float64:
		float("double", 0)
	case types.Complex64:
		float("float", 0)
		float("float", 4)
	case types.Complex128:
		float("double", 0)
		float("double", 8)
	case types.String:
		e.stringLengths(x, y)
		e.stringContents(x, y)
	default:
		panic(fmt.Sprintf("lower: comparison of %v", u))
	}
}

// iface compares interfaces: the dynamic types, then, if there is one, the values by the
// type's equality function. Itabs are not unique, so their types are compared.
func (e *alg) iface(methods bool, x, y string) {
	s := e.f.Op("load ptr, ptr %s", x)
	t := e.f.Op("load ptr, ptr %s", y)
	if methods {
		s, t = e.itabType(s), e.itabType(t)
	}
	e.require(e.f.Op("icmp eq ptr %s, %s", s, t))
	isNil := e.f.Op("icmp eq ptr %s, null", s)
	compare, done := e.f.Label("dynamic"), e.f.Label("same")
	e.f.Term("br i1 %s, label %%%s, label %%%s", isNil, done.Label, compare.Label)
	e.f.Cur = compare
	a := e.f.Op("load ptr, ptr %s", e.at(x, 8))
	b := e.f.Op("load ptr, ptr %s", e.at(y, 8))
	e.require(e.f.Op("call i1 %s(ptr %s, ptr %s, ptr %s)", e.m.rtFunc("efaceeq"), s, a, b))
	e.f.Term("br label %%%s", done.Label)
	e.f.Cur = done
}

// itabType returns the dynamic type of an itab, nil for nil.
func (e *alg) itabType(tab string) string {
	slot := e.f.Alloca(8, 8)
	e.f.Do("store ptr null, ptr %s", slot)
	load, done := e.f.Label("itab"), e.f.Label("type")
	e.f.Term("br i1 %s, label %%%s, label %%%s", e.f.Op("icmp eq ptr %s, null", tab), done.Label, load.Label)
	e.f.Cur = load
	e.f.Do("store ptr %s, ptr %s", e.f.Op("load ptr, ptr %s", e.at(tab, 8)), slot)
	e.f.Term("br label %%%s", done.Label)
	e.f.Cur = done
	return e.f.Op("load ptr, ptr %s", slot)
}

// hash returns the operand of the hash of the value of type t at x, seeded with h.
func (e *alg) hash(t types.Type, x, h string) string {
	m := e.m
	if m.regularMemory(t) {
		size := m.sizes.Sizeof(t)
		if size == 4 || size == 8 {
			return e.f.Op("call i64 %s(ptr %s, i64 %s)", m.rtFunc(fmt.Sprintf("memhash%d", size*8)), x, h)
		}
		return e.f.Op("call i64 %s(ptr %s, i64 %s, i64 %d)", m.rtFunc("memhash"), x, h, size)
	}
	if f := m.runtimeHash(t); f != "" {
		return e.f.Op("call i64 %s(ptr %s, i64 %s)", f, x, h)
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
		e.f.Do("store i64 %s, ptr %s", h, slot)
		e.elements(u, func(off string) {
			h := e.f.Op("load i64, ptr %s", slot)
			e.f.Do("store i64 %s, ptr %s", e.hash(u.Elem(), e.offset(x, off), h), slot)
		})
		return e.f.Op("load i64, ptr %s", slot)
	}
	panic(fmt.Sprintf("lower: hash of %v", t))
}
