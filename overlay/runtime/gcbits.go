package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"unsafe"
)

// reflect_gcbits serves reflect's tests: for a pointer x to a heap object (or to the first
// element of an array in one), a byte for each of the object's words that says whether the
// type has a pointer there. The collector itself only tells objects with pointers from others.
//
//go:linkname reflect_gcbits reflect.gcbits
func reflect_gcbits(x any) []byte {
	e := (*abi.EmptyInterface)(unsafe.Pointer(&x))
	t := e.Type.Elem()
	if t == nil || t.PtrBytes == 0 {
		return nil
	}
	_, size, ok := heap.FindObject(uintptr(e.Data))
	if !ok {
		size = t.Size_
	}
	bits := make([]byte, max(size, t.Size_)/8)
	for off := uintptr(0); off+t.Size_ <= size; off += t.Size_ {
		pointerWords(t, bits[off/8:])
	}
	return bits
}

// pointerWords sets the bytes of the words that hold pointers in a value of type t.
func pointerWords(t *abi.Type, bits []byte) {
	if t.TFlag&abi.TFlagGCMaskOnDemand == 0 {
		for w := range t.PtrBytes / 8 {
			bits[w] = *(*byte)(unsafe.Add(unsafe.Pointer(t.GCData), w/8)) >> (w % 8) & 1
		}
		return
	}
	// Too big for a mask in its descriptor.
	switch t.Kind() {
	case abi.Array:
		a := (*abi.ArrayType)(unsafe.Pointer(t))
		for i := range a.Len {
			if a.Elem.PtrBytes != 0 {
				pointerWords(a.Elem, bits[i*a.Elem.Size_/8:])
			}
		}
	case abi.Struct:
		for _, f := range (*abi.StructType)(unsafe.Pointer(t)).Fields {
			if f.Typ.PtrBytes != 0 {
				pointerWords(f.Typ, bits[f.Offset/8:])
			}
		}
	}
}
