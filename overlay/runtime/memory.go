package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/sys"
	"math/bits"
	"unsafe"
)

// Typed memory operations for reflect and the map package. Compiled code moves memory itself; these exist for callers
// that know a type only at run time. A store of pointers into memory that the collector may
// already have looked at is followed by shadeRange.

// shadeRange tells a running collection which pointers were stored. The world stands still while this collector marks, so
// there is nobody to tell; concurrent marking hooks in here.
func shadeRange(p unsafe.Pointer, size uintptr) {}

func typedmemmove(t *abi.Type, dst, src unsafe.Pointer) {
	if dst == src {
		return
	}
	sys.Move(dst, src, t.Size_)
	if t.PtrBytes != 0 {
		shadeRange(dst, t.Size_)
	}
}

// typedmemclr zeroes a value. Dropping pointers needs no barrier.
func typedmemclr(t *abi.Type, p unsafe.Pointer) { sys.Clear(p, t.Size_) }

//go:linkname reflect_typedmemmove reflect.typedmemmove
func reflect_typedmemmove(t *abi.Type, dst, src unsafe.Pointer) { typedmemmove(t, dst, src) }

//go:linkname reflectlite_typedmemmove internal/reflectlite.typedmemmove
func reflectlite_typedmemmove(t *abi.Type, dst, src unsafe.Pointer) { typedmemmove(t, dst, src) }

//go:linkname reflect_typedmemclr reflect.typedmemclr
func reflect_typedmemclr(t *abi.Type, p unsafe.Pointer) { typedmemclr(t, p) }

//go:linkname reflect_typedmemclrpartial reflect.typedmemclrpartial
func reflect_typedmemclrpartial(t *abi.Type, p unsafe.Pointer, off, size uintptr) {
	sys.Clear(p, size)
}

//go:linkname reflect_typedarrayclear reflect.typedarrayclear
func reflect_typedarrayclear(elem *abi.Type, p unsafe.Pointer, n int) {
	sys.Clear(p, elem.Size_*uintptr(n))
}

//go:linkname reflect_memmove reflect.memmove
func reflect_memmove(dst, src unsafe.Pointer, size uintptr) { sys.Move(dst, src, size) }

// sliceHeader is the memory form of a slice.
type sliceHeader struct {
	array    unsafe.Pointer
	len, cap int
}

//go:linkname reflect_typedslicecopy reflect.typedslicecopy
func reflect_typedslicecopy(elem *abi.Type, dst, src sliceHeader) int {
	return typedslicecopy(elem, dst.array, dst.len, src.array, src.len)
}

// typedslicecopy is the builtin copy for elements of type elem.
func typedslicecopy(elem *abi.Type, dst unsafe.Pointer, dstLen int, src unsafe.Pointer, srcLen int) int {
	n := min(dstLen, srcLen)
	if n == 0 || dst == src {
		return n
	}
	size := uintptr(n) * elem.Size_
	sys.Move(dst, src, size)
	if elem.PtrBytes != 0 {
		shadeRange(dst, size)
	}
	return n
}

//go:linkname reflect_typehash reflect.typehash
func reflect_typehash(t *abi.Type, p unsafe.Pointer, h uintptr) uintptr { return typehash(t, p, h) }

//go:linkname reflect_verifyNotInHeapPtr reflect.verifyNotInHeapPtr
func reflect_verifyNotInHeapPtr(p uintptr) bool { return !heap.InHeap(p) }

// unsafeslice and unsafestring are the checks of unsafe.Slice and unsafe.String.
func unsafeslice(elem *abi.Type, p unsafe.Pointer, n int) {
	if n < 0 {
		panicunsafeslicelen()
	}
	hi, size := bits.Mul64(uint64(elem.Size_), uint64(n))
	if p == nil && n > 0 {
		panicunsafeslicenilptr()
	}
	if hi != 0 || size > -uint64(uintptr(p)) && p != nil {
		panicunsafeslicelen()
	}
}

func unsafestring(p unsafe.Pointer, n int) {
	if n < 0 {
		panicunsafestringlen()
	}
	if p == nil && n > 0 {
		panicunsafestringnilptr()
	}
	if p != nil && uint64(n) > -uint64(uintptr(p)) {
		panicunsafestringlen()
	}
}

//go:linkname reflect_unsafeslice reflect.unsafeslice
func reflect_unsafeslice(elem *abi.Type, p unsafe.Pointer, n int) { unsafeslice(elem, p, n) }

// staticuint64s holds the numbers that fit in a byte, for interface values of small integers.
var staticuint64s = [256]uint64{
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
	48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
	64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
	80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
	96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
	112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
	128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
	144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
	160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
	176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
	192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
	208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
	224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
	240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
}

func getStaticuint64s() *[256]uint64 { return &staticuint64s }
