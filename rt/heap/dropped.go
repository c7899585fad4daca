package heap

import (
	"sync/atomic"
	"unsafe"
)

// Caches that last until the next collection: sync.Pool's, and pointers that packages have
// registered (BoringCrypto's caches), which a cycle sets to nil as it begins.

// droppedPointer is an element of the list of registered pointers.
type droppedPointer struct {
	next *droppedPointer
	p    *unsafe.Pointer
}

var droppedPointers unsafe.Pointer // *droppedPointer, atomic

// DropPointer has each cycle from now on set *p, a package variable, to nil at its start. Any
// goroutine.
func DropPointer(p *unsafe.Pointer) {
	d := (*droppedPointer)(Permanent(unsafe.Sizeof(droppedPointer{}), 8, false))
	d.p = p
	for {
		head := atomic.LoadPointer(&droppedPointers)
		d.next = (*droppedPointer)(head)
		if atomic.CompareAndSwapPointer(&droppedPointers, head, unsafe.Pointer(d)) {
			return
		}
	}
}

// dropCaches empties the caches. World stopped, nothing marked yet.
func dropCaches() {
	hooks.calls.PoolCleanup()
	for d := (*droppedPointer)(droppedPointers); d != nil; d = d.next {
		*d.p = nil
	}
}
