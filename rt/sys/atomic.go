package sys

import "unsafe"

// Release stores: a plain instruction on x86, where sync/atomic's stores are exchanges. They order
// what came before, but a load that follows may overtake them.

//go:linkname StoreRel internal/runtime/atomic.StoreRel
func StoreRel(p *uint32, v uint32)

//go:linkname storeReluintptr internal/runtime/atomic.StoreReluintptr
func storeReluintptr(p *uintptr, v uintptr)

// StoreRel64 is StoreRel for 64 bits.
//
//go:linkname StoreRel64 internal/runtime/atomic.StoreRel64
func StoreRel64(p *uint64, v uint64)

// StoreRelPtr is StoreRel for pointers to memory outside the collected heap.
func StoreRelPtr(p *unsafe.Pointer, v unsafe.Pointer) {
	storeReluintptr((*uintptr)(unsafe.Pointer(p)), uintptr(v))
}
