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
	if t == nil || t.PtrBytes == 0 || t.TFlag&abi.TFlagGCMaskOnDemand != 0 {
		return nil
	}
	_, size, ok := heap.FindObject(uintptr(e.Data))
	if !ok {
		size = t.Size_
	}
	var bits []byte
	for off := uintptr(0); off+t.Size_ <= size; off += t.Size_ {
		for w := range t.Size_ / 8 {
			b := byte(0)
			if w < t.PtrBytes/8 {
				b = *(*byte)(unsafe.Add(unsafe.Pointer(t.GCData), w/8)) >> (w % 8) & 1
			}
			bits = append(bits, b)
		}
	}
	return bits
}
