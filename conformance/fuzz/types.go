package main

import (
	"fmt"
	"strings"
)

// kind is the shape of a type, as far as expressions and statements depend on it.
type kind uint8

const (
	kBool kind = iota
	kInt
	kUint
	kFloat
	kComplex
	kString
	kArray
	kSlice
	kMap
	kPtr
	kStruct
	kIface
	kFunc
	kParam // a type parameter with an integer constraint
)

// typ is a type of the generated program. Types are interned by their text: equal types are
// equal pointers.
type typ struct {
	kind      kind
	name      string // as the program writes it
	bits      int    // of numbers
	elem, key *typ
	n         int // length of an array
	fields    []field
	params    []*typ
	results   []*typ
	named     bool
	base      *typ // what a named type is made of, unless it is a struct or an interface

	// Named types have a method M(int) int, and perhaps N(string) string. The pointer flags say
	// that only the pointer's method set has it; pureM that M has no effects and cannot panic.
	hasM, hasN, ptrM, ptrN, pureM bool
	wantN                         bool // of interfaces: N is asked for, too
}

type field struct {
	name     string
	t        *typ
	embedded bool
}

var (
	tBool   = &typ{kind: kBool, name: "bool"}
	tInt    = &typ{kind: kInt, name: "int", bits: 64}
	tInt64  = &typ{kind: kInt, name: "int64", bits: 64}
	tInt32  = &typ{kind: kInt, name: "int32", bits: 32}
	tInt16  = &typ{kind: kInt, name: "int16", bits: 16}
	tInt8   = &typ{kind: kInt, name: "int8", bits: 8}
	tUint   = &typ{kind: kUint, name: "uint", bits: 64}
	tUint64 = &typ{kind: kUint, name: "uint64", bits: 64}
	tUint32 = &typ{kind: kUint, name: "uint32", bits: 32}
	tUint16 = &typ{kind: kUint, name: "uint16", bits: 16}
	tByte   = &typ{kind: kUint, name: "byte", bits: 8}
	tUptr   = &typ{kind: kUint, name: "uintptr", bits: 64}
	tF64    = &typ{kind: kFloat, name: "float64", bits: 64}
	tF32    = &typ{kind: kFloat, name: "float32", bits: 32}
	tC128   = &typ{kind: kComplex, name: "complex128", bits: 64}
	tC64    = &typ{kind: kComplex, name: "complex64", bits: 32}
	tString = &typ{kind: kString, name: "string"}
	tAny    = &typ{kind: kIface, name: "any"}

	integers = []*typ{tInt, tInt64, tInt32, tInt16, tInt8, tUint, tUint64, tUint32, tUint16, tByte, tUptr}
	numbers  = append(append([]*typ{}, integers...), tF64, tF32)
	scalars  = append(append([]*typ{}, numbers...), tString, tBool, tC128, tC64)
)

// intern returns the one typ with t's text.
func (g *gen) intern(t *typ) *typ {
	if old := g.interned[t.name]; old != nil {
		return old
	}
	g.interned[t.name] = t
	return t
}

func (g *gen) sliceOf(e *typ) *typ {
	return g.intern(&typ{kind: kSlice, name: "[]" + e.name, elem: e})
}

func (g *gen) arrayOf(n int, e *typ) *typ {
	return g.intern(&typ{kind: kArray, name: fmt.Sprintf("[%d]%s", n, e.name), elem: e, n: n})
}

func (g *gen) mapOf(k, e *typ) *typ {
	return g.intern(&typ{kind: kMap, name: "map[" + k.name + "]" + e.name, key: k, elem: e})
}

func (g *gen) ptrTo(e *typ) *typ {
	return g.intern(&typ{kind: kPtr, name: "*" + e.name, elem: e})
}

func (g *gen) funcType(params, results []*typ) *typ {
	name := "func(" + names(params) + ")"
	switch len(results) {
	case 0:
	case 1:
		name += " " + results[0].name
	default:
		name += " (" + names(results) + ")"
	}
	return g.intern(&typ{kind: kFunc, name: name, params: params, results: results})
}

func names(ts []*typ) string {
	var s []string
	for _, t := range ts {
		s = append(s, t.name)
	}
	return strings.Join(s, ", ")
}

func pick[T any](g *gen, list []T) T { return list[g.r.IntN(len(list))] }

// chance is true in p of 100 cases.
func (g *gen) chance(p int) bool { return g.r.IntN(100) < p }

// randType draws a type; depth bounds its nesting.
func (g *gen) randType(depth int) *typ {
	n := g.r.IntN(100)
	switch {
	case depth <= 0 || n < 45:
		return pick(g, scalars)
	case n < 55 && len(g.named) > 0:
		return pick(g, g.named)
	case n < 67:
		return g.sliceOf(g.randType(depth - 1))
	case n < 77:
		return g.arrayOf(pick(g, []int{0, 1, 1, 2, 3, 3, 4, 5, 8}), g.randType(depth-1))
	case n < 83:
		return g.mapOf(g.keyType(), g.randType(depth-1))
	case n < 88:
		return g.ptrTo(g.randType(depth - 1))
	case n < 92:
		return pick(g, g.ifaces)
	case n < 95:
		return g.funcType([]*typ{pick(g, scalars)}, []*typ{pick(g, scalars)})
	case n < 98:
		return g.structOf(depth - 1)
	}
	return pick(g, scalars)
}

// structOf is an unnamed struct type.
func (g *gen) structOf(depth int) *typ {
	t := &typ{kind: kStruct}
	var s []string
	for i := range 1 + g.r.IntN(4) {
		f := field{name: string(rune('a' + i)), t: g.randType(depth)}
		t.fields = append(t.fields, f)
		s = append(s, f.name+" "+f.t.name)
	}
	t.name = "struct{ " + strings.Join(s, "; ") + " }"
	return g.intern(t)
}

// keyType draws a type for map keys: comparable, never panicking, without NaN.
func (g *gen) keyType() *typ {
	switch g.r.IntN(6) {
	case 0:
		return g.arrayOf(2, pick(g, integers))
	case 1:
		for range g.named {
			if t := pick(g, g.named); plainKey(t) {
				return t
			}
		}
		return tInt16
	case 2, 3:
		return tString
	}
	return pick(g, integers)
}

func plainKey(t *typ) bool {
	switch t.kind {
	case kBool, kInt, kUint, kString:
		return true
	case kArray:
		return plainKey(t.elem)
	case kStruct:
		for _, f := range t.fields {
			if !plainKey(f.t) {
				return false
			}
		}
		return true
	}
	return false
}

// comparable says that == is allowed; interfaces are left out, for their comparison may panic.
func comparable_(t *typ) bool {
	switch t.kind {
	case kArray:
		return comparable_(t.elem)
	case kStruct:
		for _, f := range t.fields {
			if !comparable_(f.t) {
				return false
			}
		}
		return true
	}
	return t.kind <= kString || t.kind == kPtr && !maybeEmpty(t.elem) || t.kind == kParam
}

// maybeEmpty says that variables of type t may have no size: whether their addresses are equal
// is left open.
func maybeEmpty(t *typ) bool {
	switch t.kind {
	case kArray:
		return t.n == 0 || maybeEmpty(t.elem)
	case kStruct:
		for _, f := range t.fields {
			if !maybeEmpty(f.t) {
				return false
			}
		}
		return true
	}
	return false
}

// printable says that %v shows neither addresses nor an order that is left open.
func printable(t *typ) bool {
	switch t.kind {
	case kArray, kSlice:
		return printable(t.elem)
	case kMap:
		return printable(t.elem)
	case kStruct:
		for _, f := range t.fields {
			if !printable(f.t) {
				return false
			}
		}
		return true
	case kIface:
		return t == tAny // holds printable values only
	}
	return t.kind <= kString || t.kind == kParam
}

func isInteger(t *typ) bool { return t.kind == kInt || t.kind == kUint || t.kind == kParam }

// implements reports whether t (or only *t) has the methods of the interface.
func implements(t, iface *typ) (value, pointer bool) {
	if !t.named || t.kind == kIface || !t.hasM || iface.wantN && !t.hasN {
		return false, false
	}
	return !t.ptrM && !(iface.wantN && t.ptrN), true
}

// declareTypes makes the named types and interfaces of the program.
func (g *gen) declareTypes() {
	g.ifaces = []*typ{
		tAny, tAny,
		{kind: kIface, name: "I0", named: true, hasM: true},
		{kind: kIface, name: "I1", named: true, hasM: true, hasN: true, wantN: true},
	}
	g.printf("type I0 interface{ M(int) int }\n\ntype I1 interface {\n\tI0\n\tN(string) string\n}\n\n")
	for i := range 5 {
		base := pick(g, scalars)
		t := *base
		t.name, t.named, t.base = fmt.Sprintf("N%d", i), true, base
		g.addNamed(&t, base.name)
	}
	for i := range 12 {
		t := &typ{kind: kStruct, name: fmt.Sprintf("S%d", i), named: true}
		var text strings.Builder
		text.WriteString("struct {\n")
		if g.chance(50) {
			e := pick(g, g.named)
			f := field{name: e.name, t: e, embedded: true}
			t.hasM, t.ptrM, t.pureM, t.hasN, t.ptrN = e.hasM, e.ptrM, e.pureM, e.hasN, e.ptrN
			if g.chance(30) {
				f.t = g.ptrTo(e)
				t.ptrM, t.ptrN, t.pureM = false, false, false // a nil pointer panics
			}
			t.fields = append(t.fields, f)
			fmt.Fprintf(&text, "\t%s\n", f.t.name)
		}
		for j := range g.r.IntN(6) {
			f := field{name: string(rune('a'+j)) + fmt.Sprint(i), t: g.randType(2)}
			t.fields = append(t.fields, f)
			fmt.Fprintf(&text, "\t%s %s\n", f.name, f.t.name)
		}
		text.WriteString("}")
		g.addNamed(t, text.String())
	}
	for i := range 3 {
		base := g.sliceOf(pick(g, scalars))
		if i == 1 {
			base = g.arrayOf(3, pick(g, g.named))
		}
		t := *base
		t.name, t.named, t.base = fmt.Sprintf("L%d", i), true, base
		g.addNamed(&t, base.name)
	}
}

func (g *gen) addNamed(t *typ, text string) {
	g.printf("type %s %s\n\n", t.name, text)
	g.interned[t.name] = t
	// Methods see t's fields, but t itself is not yet in the list: no recursive types.
	if !t.hasM || g.chance(40) {
		g.method(t, "M", tInt)
	}
	if g.chance(50) || len(g.named) == 0 { // some type has both
		g.method(t, "N", tString)
	}
	g.named = append(g.named, t)
}
