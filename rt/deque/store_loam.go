//go:build loam

package deque

import (
	"unsafe"

	"loam/rt/sys"
)

func storePtr(p *unsafe.Pointer, v unsafe.Pointer) { sys.StoreRelPtr(p, v) }
func store32(p *uint32, v uint32)                  { sys.StoreRel(p, v) }
