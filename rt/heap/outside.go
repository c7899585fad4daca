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
// of it is empty. Guarded by specials.lock.
var outside struct {
	handles []*uintptr // in memory of its own
	used    uintptr
}

// outsideLeast is the length of the smallest table: a page.
const outsideLeast = 512

// outsideBytes is what the table takes.
func outsideBytes() uintptr { return uintptr(len(outside.handles)) * unsafe.Sizeof((*uintptr)(nil)) }

// outsideHandle returns the handle of an address outside the heap. Goroutine stack; allocates.
func outsideHandle(p uintptr) *uintptr {
	lockSpecials()
	h := liveOutside(p)
	unlockSpecials()
	if h != nil {
		return h
	}
	fresh := newHandle(p)
	lockSpecials()
	if h = liveOutside(p); h == nil {
		h = fresh
		insertOutside(h)
		s := spanOf(addrOf(h))
		s.settleFirst()
		sp := takeSpecial()
		sp.offset, sp.kind, sp.handle = addrOf(h)-s.base, specialOutside, h
		attach(s, sp)
	}
	unlockSpecials()
	return h
}

// liveOutside returns the handle of p in the table, or nil. If the last collection found it dead,
// it is not there any more: its span is settled first. specials.lock is held.
func liveOutside(p uintptr) *uintptr {
	if outside.used == 0 {
		return nil
	}
	h := outside.handles[placeOutside(p)]
	if h != nil {
		spanOf(addrOf(h)).settleFirst()
		h = outside.handles[placeOutside(p)]
	}
	return h
}

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

func insertOutside(h *uintptr) {
	if n := uintptr(len(outside.handles)); 4*(outside.used+1) > 3*n && !resizeOutside(max(2*n, outsideLeast)) {
		throw("out of memory: weak pointers to addresses outside the heap")
	}
	outside.handles[placeOutside(*h)] = h
	outside.used++
}

// dropOutside takes out a handle that is about to be swept. specials.lock is held.
func dropOutside(h *uintptr) {
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
