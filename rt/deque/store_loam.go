//go:build loam

package deque

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

func storePtr(p *unsafe.Pointer, v unsafe.Pointer) { sys.StoreRelPtr(p, v) }
func store32(p *uint32, v uint32)                  { sys.StoreRel(p, v) }

// take32 swaps old for old+1. Only holders of a P change a queue's head.
func take32(p *uint32, old uint32) bool {
	if !sys.Parallel {
		*p = old + 1
		return true
	}
	return atomic.CompareAndSwapUint32(p, old, old+1)
}
