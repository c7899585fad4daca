package heap

import (
	"math/bits"
	"unsafe"
)

// Weak pointers to what lies outside the heap: globals, or memory that the program has mapped. What
// they point at does not die, so their handles never become 0. But the handles are heap objects
// like the others, and die when no weak pointer has them any more. A special on the handle itself
// then takes it out of this table, which finds the handle of an address: before the handle's span
// is swept, as all specials. So the table is as large as there are handles that are in use.

// outside is a hash table with linear probing; its length is a power of two, and at least a quarter
// of it is empty. Its lock comes after those of spans.
var outside struct {
	lock    mutex
	handles []*uintptr // in memory of its own
	used    uintptr
}

// outsideLeast is the length of the smallest table: a page.
const outsideLeast = 512

// outsideBytes is what the table takes.
func outsideBytes() uintptr { return uintptr(len(outside.handles)) * unsafe.Sizeof((*uintptr)(nil)) }

// homeOutside is where the search for p begins.
func homeOutside(p uintptr) uintptr {
	return p * 0x9e3779b97f4a7c15 >> (64 - bits.TrailingZeros64(uint64(len(outside.handles))))
}

// placeOutside is the place of p's handle, or the empty one where it would be.
func placeOutside(p uintptr) uintptr {
	last := uintptr(len(outside.handles) - 1)
	i := homeOutside(p)
	for h := outside.handles[i]; h != nil && *h != p; h = outside.handles[i] {
		i = (i + 1) & last
	}
	return i
}

// addOutside adds h. outside.lock is held, as below.
func addOutside(h *uintptr) {
	if n := uintptr(len(outside.handles)); 4*(outside.used+1) > 3*n && !resizeOutside(max(2*n, outsideLeast)) {
		throw("out of memory: weak pointers to addresses outside the heap")
	}
	outside.handles[placeOutside(*h)] = h
	outside.used++
}

// dropOutside takes out a handle that is about to be swept.
func dropOutside(h *uintptr) {
	outside.lock.Lock()
	last := uintptr(len(outside.handles) - 1)
	hole := placeOutside(*h)
	outside.handles[hole] = nil
	outside.used--
	// What follows may have its home at the hole or before.
	for i := (hole + 1) & last; outside.handles[i] != nil; i = (i + 1) & last {
		next := outside.handles[i]
		if (i-homeOutside(*next))&last >= (i-hole)&last {
			outside.handles[hole], outside.handles[i] = next, nil
			hole = i
		}
	}
	if n := uintptr(len(outside.handles)); n > outsideLeast && 8*outside.used < n {
		resizeOutside(n / 2) // else it stays as it is
	}
	outside.lock.Unlock()
}

// resizeOutside moves the handles to a table for n; false if there is no memory.
func resizeOutside(n uintptr) bool {
	fresh := osMap(n * unsafe.Sizeof((*uintptr)(nil)))
	if fresh == 0 {
		return false
	}
	old, bytes := outside.handles, outsideBytes()
	outside.handles = unsafe.Slice((**uintptr)(ptr(fresh)), n)
	for _, h := range old {
		if h != nil {
			outside.handles[placeOutside(*h)] = h
		}
	}
	if bytes != 0 {
		osUnmap(addrOf(&old[0]), bytes)
	}
	return true
}
