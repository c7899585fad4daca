package ir

import (
	"fmt"
	"strings"
	"sync"
)

// A Type is a type of LLVM's. There is one of each, packed structs apart: equal types are
// the same pointer.
type Type struct {
	kind   typeKind
	bits   int   // of an integer
	n      int64 // elements of an array or vector
	elem   *Type
	fields []*Type
	packed bool
	text   string // "" of packed structs, of which there may be several alike
}

type typeKind uint8

const (
	voidType typeKind = iota
	intType
	floatType
	ptrType
	structType
	arrayType
	vectorType
)

// The types that have names.
var (
	Void   = intern(Type{kind: voidType, text: "void"})
	I1     = IntType(1)
	I8     = IntType(8)
	I16    = IntType(16)
	I32    = IntType(32)
	I64    = IntType(64)
	I128   = IntType(128)
	Float  = intern(Type{kind: floatType, bits: 32, text: "float"})
	Double = intern(Type{kind: floatType, bits: 64, text: "double"})
	Ptr    = intern(Type{kind: ptrType, text: "ptr"})
)

// types are all types, by their spelling, which says everything of them.
var types struct {
	sync.Mutex
	all map[string]*Type
}

func intern(t Type) *Type {
	types.Lock()
	defer types.Unlock()
	if known, ok := types.all[t.text]; ok {
		return known
	}
	if types.all == nil {
		types.all = map[string]*Type{}
	}
	types.all[t.text] = &t
	return &t
}

// IntType returns the type of integers of that many bits.
func IntType(bits int) *Type {
	return intern(Type{kind: intType, bits: bits, text: fmt.Sprintf("i%d", bits)})
}

// PtrIn returns the type of pointers into an address space.
func PtrIn(space int) *Type {
	return intern(Type{kind: ptrType, n: int64(space), text: fmt.Sprintf("ptr addrspace(%d)", space)})
}

// Struct returns the type of structs of those fields.
func Struct(fields ...*Type) *Type {
	if len(fields) == 0 {
		return intern(Type{kind: structType, text: "{}"})
	}
	return intern(Type{kind: structType, fields: fields, text: "{ " + join(fields) + " }"})
}

func join(list []*Type) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.text
	}
	return strings.Join(words, ", ")
}

// Array returns the type of arrays of n elements.
func Array(n int64, elem *Type) *Type {
	return intern(Type{kind: arrayType, n: n, elem: elem, text: fmt.Sprintf("[%d x %s]", n, elem.text)})
}

// Vector returns the type of vectors of n elements.
func Vector(n int64, elem *Type) *Type {
	return intern(Type{kind: vectorType, n: n, elem: elem, text: fmt.Sprintf("<%d x %s>", n, elem.text)})
}

// Packed returns the type of structs of those fields without padding.
func Packed(fields ...*Type) *Type { return &Type{kind: structType, fields: fields, packed: true} }

// String is how LLVM spells the type.
func (t *Type) String() string { return text(t.print) }

func (t *Type) print(p *printer) {
	if !t.packed {
		p.put(t.text)
		return
	}
	p.put("<{ ")
	for i, f := range t.fields {
		if i > 0 {
			p.put(", ")
		}
		f.print(p)
	}
	p.put(" }>")
}

// IsInt reports whether t is a type of integers.
func (t *Type) IsInt() bool { return t.kind == intType }

// IsFloat reports whether t is float or double.
func (t *Type) IsFloat() bool { return t.kind == floatType }

// IsPtr reports whether t is a type of pointers.
func (t *Type) IsPtr() bool { return t.kind == ptrType }

// IsStruct reports whether t is a struct type.
func (t *Type) IsStruct() bool { return t.kind == structType }

// IsAggregate reports whether t is a struct or array type.
func (t *Type) IsAggregate() bool { return t.kind == structType || t.kind == arrayType }

// Bits is the size of an integer or a float.
func (t *Type) Bits() int { return t.bits }

// Len is the number of components that extractvalue can take out of t.
func (t *Type) Len() int {
	if t.kind == arrayType {
		return int(t.n)
	}
	return len(t.fields)
}

// At is the type of component i of an aggregate.
func (t *Type) At(i int) *Type {
	if t.kind == structType {
		return t.fields[i]
	}
	return t.elem
}

// within is the type of the part of an aggregate that path leads to, nil if there is none.
func (t *Type) within(path []int) *Type {
	for _, i := range path {
		if i < 0 || i >= t.Len() {
			return nil
		}
		t = t.At(i)
	}
	return t
}

// comparison is the type of a comparison of values of type t.
func (t *Type) comparison() *Type {
	if t.kind == vectorType {
		return Vector(t.n, I1)
	}
	return I1
}
