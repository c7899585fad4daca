package runtime

import (
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/stack"
	"unsafe"
)

// What modules reach by go:linkname of memory (see linknames.go).

func heapObjectsCanMove() bool { return false }

// writeBarrier says to code that makes pointer stores of its own that it must call atomicwb for
// each. Upstream switches it on and off; ours stays on, since a collection may begin between a look
// at it and the store.
var writeBarrier = struct {
	enabled bool
	_       [3]byte
	_       uint64
}{enabled: true}

// atomicwb is called before new is stored at p, atomically and without a barrier. If a collection
// begins before the store, and the object that p is in has been looked at when it comes, nobody
// else need have new: so the goroutine keeps it, as a root.
func atomicwb(p *unsafe.Pointer, new unsafe.Pointer) {
	sched.Keep(new)
	heap.Shade(new)
}

// findObject returns the heap object that p points into, its span, which says nothing to others,
// and its place there; zeros if there is none. The other parameters are for a report of bad
// pointers.
func findObject(p, refBase, refOff uintptr) (base uintptr, span unsafe.Pointer, index uintptr) {
	return heap.Locate(p)
}

// checkptrBase returns a number that is the same for addresses in the same variable: where its
// object begins, 1 for the stack, the section for global variables; 0 if p points at nothing that
// Go has allocated.
func checkptrBase(p unsafe.Pointer) uintptr {
	addr := uintptr(p)
	for s := (*stack.Segment)(curg().Segment); s != nil; s = s.Prev {
		if s.Lo <= addr && addr < s.Hi {
			return 1
		}
	}
	if base, _, ok := heap.FindObject(addr); ok {
		return base
	}
	return heap.GlobalSection(addr)
}

//go:linkname reflect_memclrNoHeapPointers reflect.memclrNoHeapPointers
func reflect_memclrNoHeapPointers(p unsafe.Pointer, n uintptr) { memclrNoHeapPointers(p, n) }
