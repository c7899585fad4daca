package heap

import (
	"sync/atomic"
	"unsafe"
)

// Which object an address lies in.

// FindObject returns the start and the slot size in bytes of the allocated object
// that p points into. Any value of p is allowed; ok is false for anything that is not
// in an object. Any stack.
func FindObject(p uintptr) (base, size uintptr, ok bool) {
	s := spanOf(p)
	if s == nil {
		return 0, 0, false
	}
	i := s.index(p)
	acquireM() // a cycle cannot pass meanwhile, so s is swept once at most
	for !ok {
		alloc := atomic.LoadUintptr(&s.alloc)
		ok = i < uintptr(atomic.LoadUint32(&s.free)) || bitSet(alloc, i)
		if atomic.LoadUintptr(&s.alloc) == alloc {
			break
		}
		// Another thread has swept s, and cleared what was read.
	}
	releaseM()
	if !ok {
		return 0, 0, false
	}
	return s.slotAt(i), s.size, true
}

// Locate is FindObject for those who want to know the object's place: its start, its span and its
// index there.
func Locate(p uintptr) (base uintptr, span unsafe.Pointer, index uintptr) {
	base, _, ok := FindObject(p)
	if !ok {
		return 0, nil, 0
	}
	s := spanOf(p)
	return base, unsafe.Pointer(s), s.index(p)
}

// PointerFree reports whether p, an address in an object, lies in memory that the collector does
// not look at.
func PointerFree(p uintptr) bool { return spanOf(p).class.noscan() }

// InHeap reports whether p lies in a span in use.
func InHeap(p uintptr) bool { return spanOf(p) != nil }
