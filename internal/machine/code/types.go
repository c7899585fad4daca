package code

import (
	"bytes"
	"strconv"
)

// A Type is a type of LLVM's, with how its values lie in memory.
type Type struct {
	kind   typeKind
	class  Class // of a scalar
	size   int64
	align  int64
	bits   int
	n      int64 // elements
	elem   *Type
	fields []*Type
	offs   []int64 // of fields
	leaves []leaf
}

type typeKind uint8

const (
	voidType typeKind = iota
	scalar
	structType
	arrayType
)

// A leaf is a scalar of a type.
type leaf struct {
	class Class
	off   int64
}

func scalarType(c Class, bits int) *Type {
	t := &Type{kind: scalar, class: c, size: c.Size(), align: c.Size(), bits: bits}
	t.leaves = []leaf{{c, 0}}
	return t
}

// fixed are the types that need no look at their parts.
var fixed = map[string]*Type{
	"void": {kind: voidType}, "i1": scalarType(I1, 1), "i8": scalarType(I8, 8), "i16": scalarType(I16, 16),
	"i32": scalarType(I32, 32), "i64": scalarType(I64, 64), "ptr": scalarType(I64, 64), "float": scalarType(F32, 32),
	"double": scalarType(F64, 64),
	"i128":   pair(), "<2 x double>": lowHalf(),
	// Eight bytes are a word, and what comparing them says is eight bits.
	"<8 x i8>": scalarType(I64, 64), "<8 x i1>": scalarType(I8, 8), "<8 x i32>": scalarType(I64, 256),
}

// pair is the type of two words, the low one first.
func pair() *Type {
	return &Type{kind: scalar, size: 16, align: 16, bits: 128, leaves: []leaf{{I64, 0}, {I64, 8}}}
}

// lowHalf is the type of a vector of which only the first double counts.
func lowHalf() *Type {
	t := scalarType(F64, 64)
	t.size, t.align = 16, 16
	return t
}

// typ reads a type.
func (r *reader) typ() *Type {
	r.space()
	start := r.at
	switch c := r.b[r.at]; c {
	case '{', '<', '[':
		depth := 0
		for ; ; r.at++ {
			switch r.b[r.at] {
			case '{', '<', '[':
				depth++
			case '}', '>', ']':
				depth--
			}
			if depth == 0 {
				r.at++
				break
			}
		}
	default:
		for c := r.b[r.at]; 'a' <= c && c <= 'z' || '0' <= c && c <= '9'; c = r.b[r.at] {
			r.at++
		}
		if r.b[r.at] == ' ' && bytes.HasPrefix(r.b[r.at:], []byte(" addrspace(257)")) {
			r.at += len(" addrspace(257)")
			return fixed["ptr"]
		}
	}
	text := r.b[start:r.at]
	if t := r.types[string(text)]; t != nil {
		return t
	}
	end := r.at
	r.at = start
	t := r.compound()
	r.at = end
	r.types[string(text)] = t
	return t
}

// compound reads a type that has parts.
func (r *reader) compound() *Type {
	t := &Type{align: 1}
	switch {
	case r.take("<{"), r.take("{"):
		packed := r.b[r.at-2] == '<'
		t.kind = structType
		for !r.take("}") {
			f := r.typ()
			if !packed {
				t.size = (t.size + f.align - 1) &^ (f.align - 1)
				t.align = max(t.align, f.align)
			}
			t.fields = append(t.fields, f)
			t.offs = append(t.offs, t.size)
			for _, l := range f.leaves {
				t.leaves = append(t.leaves, leaf{l.class, t.size + l.off})
			}
			t.size += f.size
			r.take(",")
		}
		t.size = (t.size + t.align - 1) &^ (t.align - 1)
		return t
	case r.take("["):
		t.kind = arrayType
		t.n = r.number()
		r.expect("x")
		t.elem = r.typ()
		t.align, t.size = t.elem.align, t.n*t.elem.size
		if t.n <= 16 {
			for i := range t.n {
				for _, l := range t.elem.leaves {
					t.leaves = append(t.leaves, leaf{l.class, i*t.elem.size + l.off})
				}
			}
		}
		return t
	}
	Fail("type %s", r.line())
	return nil
}

// part is a component of a type, with where it begins and which of the leaves it begins with.
func (t *Type) part(i int64) (p *Type, off int64, leaves int) {
	if t.kind == arrayType {
		return t.elem, i * t.elem.size, int(i) * len(t.elem.leaves)
	}
	for _, f := range t.fields[:i] {
		leaves += len(f.leaves)
	}
	return t.fields[i], t.offs[i], leaves
}

func (r *reader) number() int64 {
	r.space()
	start := r.at
	if r.b[r.at] == '-' {
		r.at++
	}
	for c := r.b[r.at]; '0' <= c && c <= '9'; c = r.b[r.at] {
		r.at++
	}
	text := string(r.b[start:r.at])
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		u, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			Fail("number %q", text)
		}
		return int64(u)
	}
	return n
}
