//go:build !loam

package deque

import (
	"sync/atomic"
	"unsafe"
)

func storePtr(p *unsafe.Pointer, v unsafe.Pointer) { atomic.StorePointer(p, v) }
func store32(p *uint32, v uint32)                  { atomic.StoreUint32(p, v) }
func take32(p *uint32, old uint32) bool            { return atomic.CompareAndSwapUint32(p, old, old+1) }
