package ir

import (
	"math"
	"strconv"
)

// A Value is an operand: what an instruction made, a parameter, a constant or the address of a
// global. Values can be compared; the zero Value is none.
type Value struct {
	Kind Kind
	Type *Type
	n    int64 // a local's number, an integer's value, a float's bits, or see plainName
	ref  *ref
}

// Kind says what a Value is.
type Kind uint8

const (
	None    Kind = iota
	Temp         // what an instruction made
	Slot         // the address of memory that Alloca reserved
	Param        // a parameter
	Named        // what an instruction of the entry block made, or a parameter that has a name
	Integer      // a constant
	Bits         // a constant float
	Nothing      // the zero value of a type other than integers: null, 0.0, zeroinitializer
	Undef
	Poison
	Repeated  // a constant vector of equal elements
	Composite // a constant of several
	Address   // of a global
	Bytes     // a constant array of bytes
	Folded    // a constant expression
)

// ref is what does not fit into a Value.
type ref struct {
	name     string  // of Named; what Bytes are
	global   *Global // of Address
	elems    []Value // of Composite, operands of Folded
	op       Op      // of Folded
	unsigned bool    // an Integer is not negative
}

// plainName marks the addresses of globals whose names are written without quotes.
const plainName = 1

// prefixes of the names of numbered locals, by Kind.
var prefixes = [...]string{Temp: "%v", Slot: "%slot.", Param: "%p."}

// IsSet reports whether v is a value at all.
func (v Value) IsSet() bool { return v.Kind != None }

// IsLocal reports whether v is known in one function only, as constants are not.
func (v Value) IsLocal() bool { return Temp <= v.Kind && v.Kind <= Named }

// IsSlot reports whether v is the address of a slot that Alloca reserved.
func (v Value) IsSlot() bool { return v.Kind == Slot }

// IsNull reports whether v is the nil pointer.
func (v Value) IsNull() bool { return v.Kind == Nothing && v.Type.IsPtr() }

// IsZero reports whether v is the zero value of its type, written as such.
func (v Value) IsZero() bool {
	return v.Kind == Nothing || v.Kind == Integer && v.n == 0
}

// Int64 returns the value of a constant integer.
func (v Value) Int64() (n int64, ok bool) { return v.n, v.Kind == Integer && v.ref == nil }

// Global returns the global that v is the address of, or nil.
func (v Value) Global() *Global {
	if v.Kind == Address {
		return v.ref.global
	}
	return nil
}

// Int returns a constant of an integer type.
func Int[N int | int64 | int32 | uint8](t *Type, n N) Value {
	return Value{Kind: Integer, Type: t, n: int64(n)}
}

// unsigned marks constants that are more than an int64 can hold.
var unsigned = &ref{unsigned: true}

// Uint returns a constant of an integer type.
func Uint(t *Type, n uint64) Value {
	v := Value{Kind: Integer, Type: t, n: int64(n)}
	if v.n < 0 {
		v.ref = unsigned
	}
	return v
}

// Splat returns a constant vector of which each element is n.
func Splat(t *Type, n int64) Value { return Value{Kind: Repeated, Type: t, n: n} }

// Bool returns a constant of type i1.
func Bool(b bool) Value {
	if b {
		return Value{Kind: Integer, Type: I1, n: 1}
	}
	return Value{Kind: Integer, Type: I1}
}

// FloatConst returns a constant of type float or double, which f is exactly.
func FloatConst(t *Type, f float64) Value {
	return Value{Kind: Bits, Type: t, n: int64(math.Float64bits(f))}
}

// Zero returns the zero value of a type.
func Zero(t *Type) Value {
	if t.IsInt() {
		return Value{Kind: Integer, Type: t}
	}
	return Value{Kind: Nothing, Type: t}
}

// Null is the nil pointer.
var Null = Zero(Ptr)

// UndefOf returns an undefined value.
func UndefOf(t *Type) Value { return Value{Kind: Undef, Type: t} }

// PoisonOf returns a value that must not be used.
func PoisonOf(t *Type) Value { return Value{Kind: Poison, Type: t} }

// Aggregate returns a constant of type t with those components.
func Aggregate(t *Type, elems ...Value) Value {
	return Value{Kind: Composite, Type: t, ref: &ref{elems: elems}}
}

// CastConst returns a constant that is another one of another type.
func CastConst(op Op, v Value, to *Type) Value {
	return Value{Kind: Folded, Type: to, ref: &ref{op: op, elems: []Value{v}}}
}

// DifferenceConst returns the difference of two constant integers.
func DifferenceConst(x, y Value) Value {
	return Value{Kind: Folded, Type: x.Type, ref: &ref{op: Sub, elems: []Value{x, y}}}
}

// OffsetConst returns the address n bytes behind p.
func OffsetConst(p Value, n int64) Value {
	return Value{Kind: Folded, Type: Ptr, n: n, ref: &ref{op: GetElementPtr, elems: []Value{p}}}
}

// BytesConst returns a constant array of bytes.
func BytesConst(s string) Value {
	return Value{Kind: Bytes, Type: Array(int64(len(s)), I8), ref: &ref{name: s}}
}

// NamedValue returns a local value with a name of its own.
func NamedValue(name string, t *Type) Value {
	return Value{Kind: Named, Type: t, ref: &ref{name: name}}
}

// ParamValue returns the parameter of that number.
func ParamValue(i int, t *Type) Value { return Value{Kind: Param, Type: t, n: int64(i)} }

// String is how LLVM spells the operand, without its type.
func (v Value) String() string { return text(v.print) }

// Typed is how LLVM spells the operand with its type.
func (v Value) Typed() string { return text(v.printTyped) }

func (v Value) printTyped(p *printer) {
	v.Type.print(p)
	p.put(" ")
	v.print(p)
}

func (v Value) print(p *printer) {
	switch v.Kind {
	case Temp, Slot, Param:
		p.put(prefixes[v.Kind])
		p.int(v.n)
	case Named:
		p.put("%")
		p.put(v.ref.name)
	case Integer:
		switch {
		case v.Type == I1:
			p.put(strconv.FormatBool(v.n != 0))
		case v.ref != nil:
			p.put(strconv.FormatUint(uint64(v.n), 10))
		default:
			p.int(v.n)
		}
	case Bits:
		const hex = "0123456789ABCDEF"
		p.put("0x")
		for shift := 60; shift >= 0; shift -= 4 {
			p.b = append(p.b, hex[uint64(v.n)>>shift&15])
		}
	case Nothing:
		switch {
		case v.Type.IsPtr():
			p.put("null")
		case v.Type.IsFloat():
			p.put("0.0")
		default:
			p.put("zeroinitializer")
		}
	case Undef:
		p.put("undef")
	case Poison:
		p.put("poison")
	case Repeated:
		p.put("splat (")
		Int(v.Type.elem, v.n).printTyped(p)
		p.put(")")
	case Composite:
		v.printComposite(p)
	case Address:
		p.global(v.ref.global, v.n == plainName)
	case Bytes:
		p.put("c\"")
		p.put(Escape(v.ref.name))
		p.put("\"")
	case Folded:
		v.printFolded(p)
	default:
		panic("ir: no value")
	}
}

func (v Value) printFolded(p *printer) {
	x := v.ref.elems[0]
	p.put(v.ref.op.String())
	p.put(" (")
	if v.ref.op == GetElementPtr {
		p.put("i8, ")
		x.printTyped(p)
		p.put(", ")
		Int(I64, v.n).printTyped(p)
		p.put(")")
		return
	}
	x.printTyped(p)
	if v.ref.op == Sub {
		p.put(", ")
		v.ref.elems[1].printTyped(p)
		p.put(")")
		return
	}
	p.put(" to ")
	v.Type.print(p)
	p.put(")")
}

func (v Value) printComposite(p *printer) {
	open, end := "{ ", " }"
	switch {
	case v.Type.kind == arrayType:
		open, end = "[", "]"
	case v.Type.packed:
		open, end = "<{ ", " }>"
	}
	p.put(open)
	for i, e := range v.ref.elems {
		if i > 0 {
			p.put(", ")
		}
		e.printTyped(p)
	}
	p.put(end)
}
