package reflectcall

import "unsafe"

// maxLeaves is the number of scalars up to which a value travels in registers and stack words.
const maxLeaves = 4

// A Leaf is one scalar of a small value.
type Leaf struct {
	Offset uintptr // in the value
	Size   uint8   // 1, 2, 4 or 8 bytes
	Float  bool
	Bool   bool // only the lowest bit counts in a register
}

// A Shape says how a value travels: its leaves, or Big, that is by the address of a copy.
type Shape struct {
	Big    bool
	N      int // leaves
	Ints   int // of them integers and pointers
	Floats int
	Leaves [maxLeaves]Leaf
}

// ShapeOf classifies a type. The rule: structs are flattened field by field, blank fields included,
// an array of one element is that element, an array of no size is nothing. A value is big if it
// contains an array of two or more elements that have a size or a struct that is padded behind a
// last field without size, or has more than four leaves.
func ShapeOf(t *Type) Shape {
	var s Shape
	s.add(t, 0)
	if s.Big {
		s.N, s.Ints, s.Floats = 0, 0, 0
	}
	return s
}

// add appends the leaves of a part of type t at the given offset.
func (s *Shape) add(t *Type, offset uintptr) {
	switch t.Kind {
	case kindBool:
		s.leaf(Leaf{Offset: offset, Size: 1, Bool: true})
	case kindFloat32, kindFloat64:
		s.leaf(Leaf{Offset: offset, Size: uint8(t.Size), Float: true})
	case kindComplex64, kindComplex128:
		half := t.Size / 2
		s.leaf(Leaf{Offset: offset, Size: uint8(half), Float: true})
		s.leaf(Leaf{Offset: offset + half, Size: uint8(half), Float: true})
	case kindString, kindInterface:
		s.words(offset, 2)
	case kindSlice:
		s.words(offset, 3)
	case kindArray:
		a := (*arrayType)(unsafe.Pointer(t))
		switch {
		case t.Size == 0:
		case a.Len > 1:
			s.Big = true
		case a.Len == 1:
			s.add(a.Elem, offset)
		}
	case kindStruct:
		st := (*structType)(unsafe.Pointer(t))
		if n := len(st.Fields); n > 0 && t.Size > 0 && st.Fields[n-1].Typ.Size == 0 {
			s.Big = true
		}
		for i := 0; i < len(st.Fields) && !s.Big; i++ {
			f := &st.Fields[i]
			s.add(f.Typ, offset+f.Offset)
		}
	default: // integers and pointers
		s.leaf(Leaf{Offset: offset, Size: uint8(t.Size)})
	}
}

func (s *Shape) words(offset uintptr, n int) {
	for i := 0; i < n; i++ {
		s.leaf(Leaf{Offset: offset + uintptr(i)*8, Size: 8})
	}
}

func (s *Shape) leaf(l Leaf) {
	if s.N == maxLeaves {
		s.Big = true
	}
	if s.Big {
		return
	}
	s.Leaves[s.N] = l
	s.N++
	if l.Float {
		s.Floats++
	} else {
		s.Ints++
	}
}

// load reads a leaf of the value at p as a register holds it.
func (l *Leaf) load(p unsafe.Pointer) uint64 {
	p = unsafe.Add(p, l.Offset)
	switch l.Size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// store writes a leaf of the value at p from a register, whose upper bits mean nothing.
func (l *Leaf) store(p unsafe.Pointer, v uint64) {
	p = unsafe.Add(p, l.Offset)
	switch {
	case l.Bool:
		*(*uint8)(p) = uint8(v & 1)
	case l.Size == 1:
		*(*uint8)(p) = uint8(v)
	case l.Size == 2:
		*(*uint16)(p) = uint16(v)
	case l.Size == 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}

// A Signature is how a function of some type is called.
type Signature struct {
	StackWords uintptr // words of stack arguments
	RetOffset  uintptr // bytes: where the results start in a frame
	FrameSize  uintptr // bytes: a frame, with results
	Area       bool    // results go to memory, whose address is the first argument
	AreaSize   uintptr // bytes
}

const (
	intRegs        = 6
	floatRegs      = 8
	intResultRegs  = 3
	floatResultReg = 2
)

// SignatureOf works out how functions of type t are called. receiver says that a receiver word
// comes before the parameters.
func SignatureOf(t *FuncType, receiver bool) Signature {
	var s Signature
	// Results first: the area's address is an argument.
	ints, floats, area := 0, 0, false
	size := uintptr(0)
	for i, n := 0, t.NumOut(); i < n; i++ {
		r := t.Out(i)
		sh := ShapeOf(r)
		ints += sh.Ints
		floats += sh.Floats
		area = area || sh.Big
		size = alignUp(size, uintptr(r.Align)) + r.Size
	}
	s.Area = area || ints > intResultRegs || floats > floatResultReg
	s.AreaSize = alignUp(size, 8)

	ints, floats = 0, 0
	if s.Area {
		ints++
	}
	frame := uintptr(0)
	if receiver {
		ints++
		frame = 8
	}
	for i, n := 0, t.NumIn(); i < n; i++ {
		p := t.In(i)
		sh := ShapeOf(p)
		if sh.Big {
			ints++
		}
		ints += sh.Ints
		floats += sh.Floats
		frame = alignUp(frame, uintptr(p.Align)) + p.Size
	}
	if ints > intRegs {
		s.StackWords += uintptr(ints - intRegs)
	}
	if floats > floatRegs {
		s.StackWords += uintptr(floats - floatRegs)
	}
	s.RetOffset = alignUp(frame, 8)
	s.FrameSize = s.RetOffset + s.AreaSize
	return s
}

func alignUp(n, a uintptr) uintptr { return (n + a - 1) &^ (a - 1) }
