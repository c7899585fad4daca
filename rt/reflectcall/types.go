package reflectcall

import "unsafe"

// The types below have the layout of their namesakes in internal/abi. They are declared
// here so that this package can be tested on its own, against the descriptors of the
// official toolchain; the tests compare them with what reflect says.

// A Kind is the kind of a type, numbered as in package reflect.
type Kind uint8

const (
	kindBool Kind = iota + 1
	kindInt
	kindInt8
	kindInt16
	kindInt32
	kindInt64
	kindUint
	kindUint8
	kindUint16
	kindUint32
	kindUint64
	kindUintptr
	kindFloat32
	kindFloat64
	kindComplex64
	kindComplex128
	kindArray
	kindChan
	kindFunc
	kindInterface
	kindMap
	kindPointer
	kindSlice
	kindString
	kindStruct
	kindUnsafePointer
)

// Type is the part that all type descriptors begin with.
type Type struct {
	Size       uintptr
	PtrBytes   uintptr
	Hash       uint32
	TFlag      uint8
	Align      uint8
	FieldAlign uint8
	Kind       Kind
	Equal      unsafe.Pointer
	GCData     *byte
	Str        int32
	PtrToThis  int32
}

const flagUncommon = 1 << 0

type uncommonType struct {
	PkgPath        int32
	Mcount, Xcount uint16
	Moff           uint32
	_              uint32
}

type arrayType struct {
	Type
	Elem  *Type
	Slice *Type
	Len   uintptr
}

type structType struct {
	Type
	PkgPath *byte
	Fields  []structField
}

type structField struct {
	Name   *byte
	Typ    *Type
	Offset uintptr
}

// FuncType describes a function type; the descriptors of its parameters and results follow it in
// memory.
type FuncType struct {
	Type
	InCount  uint16
	OutCount uint16 // the top bit says "variadic"
}

// params returns the first of the parameter types, which the result types follow.
func (t *FuncType) params() unsafe.Pointer {
	size := unsafe.Sizeof(*t)
	if t.TFlag&flagUncommon != 0 {
		size += unsafe.Sizeof(uncommonType{})
	}
	return unsafe.Add(unsafe.Pointer(t), size)
}

// NumIn returns the number of parameters, the receiver not counted.
func (t *FuncType) NumIn() int { return int(t.InCount) }

// NumOut returns the number of results.
func (t *FuncType) NumOut() int { return int(t.OutCount & (1<<15 - 1)) }

// In returns the type of parameter i.
func (t *FuncType) In(i int) *Type {
	return *(**Type)(unsafe.Add(t.params(), uintptr(i)*8))
}

// Out returns the type of result i.
func (t *FuncType) Out(i int) *Type {
	return *(**Type)(unsafe.Add(t.params(), uintptr(i+t.NumIn())*8))
}
