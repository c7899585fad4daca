package heap

import (
	"sync/atomic"
	"unsafe"
)

// The mutator's side of concurrent marking. Compiled code stores a pointer, then looks at
// marking, and if a collection marks calls loam.shade with the pointer (internal/lower's
// barrier.go, shade.gas). Run-time packages have no compiled barriers and call Shade and
// ShadeRange where they store pointers into heap objects or roots.
//
// Why that suffices: docs/gc-invariants.md.

// marking is 1 while a concurrent collection marks. It changes only with the world stopped, so
// run-time code that is not at a safe point may rely on what it read. Every pointer store of the
// program reads it: its neighbours in the cache line must be written rarely.
var marking uint32

// Marking reports whether a concurrent collection marks. Any stack.
//
//loam:inline
func Marking() bool { return atomic.LoadUint32(&marking) != 0 }

// Shade tells a collection that marks that p was stored in a heap object or a root, or on the
// stack of a goroutine that does not run. After the store; any stack, locks may be held.
func Shade(p unsafe.Pointer) {
	if atomic.LoadUint32(&marking) != 0 && InHeap(uintptr(p)) {
		acquireM()
		shadeSystem(uintptr(p))
		releaseM()
	}
}

// ShadeRange is Shade for all pointers in the n bytes at p, which is 8-aligned.
func ShadeRange(p unsafe.Pointer, n uintptr) {
	if atomic.LoadUint32(&marking) != 0 {
		acquireM()
		onSystem(func() { shadeRangeSystem(uintptr(p), n) })
		releaseM()
	}
}

// shadeSystem greys the object that p points into, if any. System stack, or pinned. Known to
// shade.gas.
func shadeSystem(p uintptr) {
	s := spanOf(p)
	if s == nil || atomic.LoadUint32(&marking) == 0 {
		return
	}
	i := s.index(p)
	if bitSet(s.mark, i) {
		return
	}
	if c := ownCache(); c != nil {
		c.marker.ready()
		c.marker.greySlot(s, i)
		return
	}
	var w worker
	w.start()
	w.greySlot(s, i)
	w.publish()
}

// shadeRangeSystem greys what the words in [p, p+n) point at, unless they lie in an object that is
// not marked yet and has no specials: that will be scanned as a whole. System stack. Known to
// shade.gas.
func shadeRangeSystem(p, n uintptr) {
	if atomic.LoadUint32(&marking) == 0 {
		return
	}
	lo, hi := (p+7)&^7, (p+n)&^7
	c := ownCache()
	var own worker
	w := &own
	if c != nil {
		c.marker.ready()
		w = &c.marker
	} else {
		own.start()
	}
	if s := spanOf(p); s == nil {
		w.scanWords(lo, hi)
	} else if s.marked(s.index(p)) || atomic.LoadUint32(&s.special) != 0 {
		// what has a finalizer is scanned without being marked
		if s.large && n > chunkBytes/8 {
			// Not here and now, with the goroutine waiting.
			for q := lo; q < hi; q += chunkBytes {
				w.push(q)
			}
		} else {
			w.scanWords(lo, hi)
		}
	}
	if c == nil {
		own.publish()
	}
}

// marked reads a mark bit after all earlier stores of this thread can be seen by others: if a
// marker sets the bit later, it will see them when it scans.
func (s *span) marked(i uintptr) bool {
	return atomic.OrUint64(wordAt(s.mark, i>>6), 0)>>(i&63)&1 != 0
}

// ownCache returns the cache of the P that this thread holds, nil if it has none or is in
// a signal handler, which may have interrupted work on it.
func ownCache() *Cache {
	if inSignal() {
		return nil
	}
	return currentCache()
}

// What shade.gas knows.
var (
	_ [0]byte    = [unsafe.Offsetof(arena.base)]byte{}
	_ [16]byte   = [unsafe.Offsetof(arena.used)]byte{}
	_ [24]byte   = [unsafe.Offsetof(arena.table)]byte{}
	_ [0x00]byte = [unsafe.Offsetof(span{}.base)]byte{}
	_ [0x08]byte = [unsafe.Offsetof(span{}.extent)]byte{}
	_ [0x18]byte = [unsafe.Offsetof(span{}.mark)]byte{}
	_ [0x2c]byte = [unsafe.Offsetof(span{}.magic)]byte{}
	_ [13]byte   = [pageShift]byte{}
)
