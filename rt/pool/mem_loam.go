//go:build loam

package pool

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

// Memory that threads share, as x86 has it: a load, a store that what came before precedes, and the
// two operations that also wait for the store to be visible.

func ownWord(p *uint64) uint64                     { return *p } // nobody else writes it
func ownPointer(p *unsafe.Pointer) unsafe.Pointer  { return *p }
func loadWord(p *uint64) uint64                    { return atomic.LoadUint64(p) }
func loadPointer(p *unsafe.Pointer) unsafe.Pointer { return atomic.LoadPointer(p) }
func storeWord(p *uint64, v uint64)                { sys.StoreRel64(p, v) }
func storePointer(p *unsafe.Pointer, v unsafe.Pointer) {
	sys.StoreRelPtr(p, v) // without barrier: the caller shades
}
func storeFence(p *uint64, v uint64)           { atomic.StoreUint64(p, v) }
func swapWord(p *uint64, old, new uint64) bool { return atomic.CompareAndSwapUint64(p, old, new) }
