//go:build loam

package heap

import (
	"internal/abi"
	"unsafe"

	"loam/rt/sizeclass"
)

// The symbols under which compiled code and the standard library allocate. Names and
// signatures are theirs. Goroutine stack; each may collect.

// Panics of overlay/runtime. They do not return.

//go:linkname panicmakeslicelen runtime.panicmakeslicelen
func panicmakeslicelen()

//go:linkname panicmakeslicecap runtime.panicmakeslicecap
func panicmakeslicecap()

//go:linkname panicSliceCapOverflow runtime.panicSliceCapOverflow
func panicSliceCapOverflow()

//go:linkname panicplain runtime.panicplain
func panicplain(s string)

//go:linkname newobject runtime.newobject
//go:noinline
func newobject(t *abi.Type) unsafe.Pointer {
	return Alloc(t.Size_, t.PtrBytes == 0, true)
}

// allocScan and allocNoscan are what runtime.allocscan and runtime.allocnoscan (alloc.gas) do when
// there is more to it than taking a slot from the cache. Those are what compiled code calls for
// objects whose size and pointers it knows: zeroed memory of size bytes.
//
//go:noinline
func allocScan(size uintptr) unsafe.Pointer { return Alloc(size, false, true) }

//go:noinline
func allocNoscan(size uintptr) unsafe.Pointer { return Alloc(size, true, true) }

// What alloc.gas knows.
var (
	_ [48]byte     = [unsafe.Sizeof(run{})]byte{}
	_ [0]byte      = [unsafe.Offsetof(run{}.next)]byte{}
	_ [8]byte      = [unsafe.Offsetof(run{}.limit)]byte{}
	_ [16]byte     = [unsafe.Offsetof(run{}.size)]byte{}
	_ [0]byte      = [unsafe.Offsetof(Cache{}.runs)]byte{}
	_ [0x1980]byte = [unsafe.Offsetof(Cache{}.tiny)]byte{}
	_ [0x1988]byte = [unsafe.Offsetof(Cache{}.tinyEnd)]byte{}
	_ [0x1990]byte = [unsafe.Offsetof(Cache{}.tinyCount)]byte{}
	_ [1024]byte   = [sizeclass.FineMax]byte{}
	_ [16]byte     = [tinyBlock]byte{}
	_ [0xf0]byte   = [unsafe.Offsetof(Cache{}.runs) + uintptr(tinyClass)*unsafe.Sizeof(run{})]byte{}
	_ [0]byte      = [unsafe.Offsetof(calls.checked)]byte{}
	_ [128]byte    = [clearedNoscan]byte{}
)

//go:linkname mallocgc runtime.mallocgc
//go:noinline
func mallocgc(size uintptr, t *abi.Type, needzero bool) unsafe.Pointer {
	return Alloc(size, t == nil || t.PtrBytes == 0, needzero)
}

//go:linkname newarray runtime.newarray
//go:noinline
func newarray(t *abi.Type, n int) unsafe.Pointer {
	if n < 0 || t.Size_ > 0 && uintptr(n) > maxAlloc/t.Size_ {
		panicplain("runtime: allocation size out of range")
	}
	return Alloc(t.Size_*uintptr(n), t.PtrBytes == 0, true)
}

//go:linkname makeslice runtime.makeslice
//go:noinline
func makeslice(et *abi.Type, len, cap int) unsafe.Pointer {
	size := et.Size_
	if len < 0 || cap < len || size > 0 && uintptr(cap) > maxAlloc/size {
		// Of two bad arguments the length is reported, unless it is fine by itself.
		if len < 0 || size > 0 && uintptr(len) > maxAlloc/size {
			panicmakeslicelen()
		}
		panicmakeslicecap()
	}
	return Alloc(size*uintptr(cap), et.PtrBytes == 0, true)
}

//go:linkname makeslice64 runtime.makeslice64
//go:noinline
func makeslice64(et *abi.Type, len, cap int64) unsafe.Pointer {
	return makeslice(et, int(len), int(cap))
}

// EntryOfGrow is where growslice begins.
func EntryOfGrow() uintptr { return abi.FuncPCABIInternal(growslice) }

// growslice makes room for newLen elements, num of them new. Elements beyond the new
// length are zero; those between are for the caller to write (zero if they can hold
// pointers).
//
//go:linkname growslice runtime.growslice
//go:noinline
func growslice(old unsafe.Pointer, newLen, oldCap, num int, et *abi.Type) (p unsafe.Pointer, len, cap int) {
	if newLen < 0 {
		panicSliceCapOverflow()
	}
	size := et.Size_
	if size == 0 {
		return ZeroBase(), newLen, newLen
	}
	noscan := et.PtrBytes == 0
	cap, bytes, ok := sliceMemory(nextCap(newLen, oldCap), size, !noscan)
	if !ok {
		panicSliceCapOverflow()
	}
	p = Alloc(bytes, noscan, !noscan)
	if !noscan {
		MovePointers(p, old, uintptr(newLen-num)*size)
		return p, newLen, cap
	}
	used := uintptr(newLen) * size
	memclr(unsafe.Add(p, used), bytes-used)
	memmove(p, old, uintptr(newLen-num)*size)
	return p, newLen, cap
}

// sliceHeader is a slice as reflect passes it.
type sliceHeader struct {
	p        unsafe.Pointer
	len, cap int
}

// reflectGrowslice extends the capacity of old so that num more elements fit. It keeps
// the length, and everything in the old capacity.
//
//go:linkname reflectGrowslice reflect.growslice
func reflectGrowslice(et *abi.Type, old sliceHeader, num int) sliceHeader {
	num -= old.cap - old.len
	p, n, c := growslice(old.p, old.cap+num, old.cap, num, et)
	if et.PtrBytes == 0 {
		had := uintptr(old.cap) * et.Size_
		memclr(unsafe.Add(p, had), uintptr(n)*et.Size_-had)
	}
	return sliceHeader{p, old.len, c}
}

//go:linkname reflectNew reflect.unsafe_New
func reflectNew(t *abi.Type) unsafe.Pointer { return newobject(t) }

//go:linkname reflectNewArray reflect.unsafe_NewArray
func reflectNewArray(t *abi.Type, n int) unsafe.Pointer { return newarray(t, n) }

//go:linkname reflectliteNew internal/reflectlite.unsafe_New
func reflectliteNew(t *abi.Type) unsafe.Pointer { return newobject(t) }

//go:linkname mapsNewobject internal/runtime/maps.newobject
func mapsNewobject(t *abi.Type) unsafe.Pointer { return newobject(t) }

//go:linkname mapsNewarray internal/runtime/maps.newarray
func mapsNewarray(t *abi.Type, n int) unsafe.Pointer { return newarray(t, n) }

// makeNoZero returns n bytes that are not cleared, in a slice that shows the whole slot
// as capacity.
//
//go:linkname makeNoZero internal/bytealg.MakeNoZero
func makeNoZero(n int) []byte {
	c, bytes, ok := sliceMemory(n, 1, false)
	if !ok {
		panicmakeslicelen()
	}
	return unsafe.Slice((*byte)(Alloc(bytes, true, false)), c)[:n]
}

//go:linkname registerWeakPointer weak.runtime_registerWeakPointer
func registerWeakPointer(p unsafe.Pointer) unsafe.Pointer { return WeakHandle(p) }

//go:linkname makeStrongFromWeak weak.runtime_makeStrongFromWeak
func makeStrongFromWeak(u unsafe.Pointer) unsafe.Pointer { return StrongFromWeak(u) }

//go:linkname registerPoolCleanup sync.runtime_registerPoolCleanup
func registerPoolCleanup(f func()) { hooks.calls.PoolCleanup = f }

//go:linkname debugFreeOSMemory runtime/debug.freeOSMemory
func debugFreeOSMemory() { FreeOSMemory() }

//go:linkname debugSetGCPercent runtime/debug.setGCPercent
func debugSetGCPercent(percent int32) int32 { return SetGCPercent(percent) }

//go:linkname debugSetMemoryLimit runtime/debug.setMemoryLimit
func debugSetMemoryLimit(limit int64) int64 { return SetMemoryLimit(limit) }

// debugReadGCStats fills *out, which has room for the longest history, with pauses
// (newest first), their ends, and the time of the last collection, the number of
// collections and the total pause.
//
//go:linkname debugReadGCStats runtime/debug.readGCStats
func debugReadGCStats(out *[]uint64) {
	var ns, ends [256]uint64
	n, last, cycles, sum := Pauses(&ns, &ends)
	p := *out
	if cap(p) < 2*n+3 {
		throw("readGCStats: result too short")
	}
	p = p[:2*n+3]
	for i := range n {
		p[i], p[n+i] = ns[i], ends[i]
	}
	p[2*n], p[2*n+1], p[2*n+2] = last, uint64(cycles), sum
	*out = p
}
