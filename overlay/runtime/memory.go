package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sys"
	"math/bits"
	"unsafe"
)

// Typed memory operations for reflect and the map package. Compiled code moves memory itself; these
// exist for callers that know a type only at run time. Pointers are moved with heap.MovePointers:
// between a move and a barrier after it the goroutine could be stopped, and an overlapping move may
// have overwritten the only other copy of a pointer.

func typedmemmove(t *abi.Type, dst, src unsafe.Pointer) {
	if dst == src {
		return
	}
	if t.PtrBytes != 0 {
		heap.MovePointers(dst, src, t.Size_)
		return
	}
	sys.Move(dst, src, t.Size_)
}

// typedmemclr zeroes a value. Dropping pointers needs no barrier.
func typedmemclr(t *abi.Type, p unsafe.Pointer) { sys.Clear(p, t.Size_) }

//go:linkname reflect_typedmemmove reflect.typedmemmove
func reflect_typedmemmove(t *abi.Type, dst, src unsafe.Pointer) {
	if race.Enabled {
		by := race.Part(abi.FuncPCABIInternal(reflect_typedmemmove))
		raceAccessBy(by, src, t.Size_<<1)
		raceAccessBy(by, dst, t.Size_<<1|1)
	}
	typedmemmove(t, dst, src)
}

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
func reflect_memmove(dst, src unsafe.Pointer, size uintptr) {
	heap.MovePointers(dst, src, size)
}

// sliceHeader is the memory form of a slice.
type sliceHeader struct {
	array    unsafe.Pointer
	len, cap int
}

//go:linkname reflect_typedslicecopy reflect.typedslicecopy
func reflect_typedslicecopy(elem *abi.Type, dst, src sliceHeader) int {
	if race.Enabled {
		n := uintptr(min(dst.len, src.len)) * elem.Size_
		raceAccessBy(race.Copies, src.array, n<<1)
		raceAccessBy(race.Copies, dst.array, n<<1|1)
	}
	return typedslicecopy(elem, dst.array, dst.len, src.array, src.len)
}

// typedslicecopy is the builtin copy for elements of type elem.
func typedslicecopy(elem *abi.Type, dst unsafe.Pointer, dstLen int, src unsafe.Pointer, srcLen int) int {
	n := min(dstLen, srcLen)
	if n == 0 || dst == src {
		return n
	}
	size := uintptr(n) * elem.Size_
	if elem.PtrBytes != 0 {
		heap.MovePointers(dst, src, size)
	} else {
		sys.Move(dst, src, size)
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

// inImage reports whether p lies in what the linker has laid out: where package variables,
// constants and the address of objects without size are.
func inImage(p uintptr) bool {
	return p-uintptr(unsafe.Pointer(&imageStart)) < uintptr(unsafe.Pointer(&imageEnd))-uintptr(unsafe.Pointer(&imageStart))
}

// The bounds of the program in memory, from the linker.

//go:linkname imageStart __executable_start
var imageStart byte

//go:linkname imageEnd _end
var imageEnd byte

// staticuint64s holds the numbers that fit in a byte. It is read-only (smallints.gas).
//
//go:linkname staticuint64s loam.smallints
var staticuint64s [256]uint64

func getStaticuint64s() *[256]uint64 { return &staticuint64s }
