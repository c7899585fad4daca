package heap

import "unsafe"

// Tracing apart from collections: what can be reached from given words, with the world stopped, one
// thread, a bitmap of its own, and every word taken for a pointer if it can be one. The verifier
// (verifymarks.go) checks marks so, and rt/leak looks for goroutines that nobody can wake.

// Reach says what a tracer wants to see. The functions must not allocate.
type Reach struct {
	// Words in [Lo, Hi), where no object may lie, are shown to Outside. None are if Lo == Hi.
	Lo, Hi  uintptr
	Outside func(word uintptr)

	// Opaque is shown each pointer-free object that is reached, once. nil: nothing.
	Opaque func(obj, size uintptr)

	// shown slot i of s when the word at an address leads to it first; nil: nothing
	first func(at, word uintptr, s *span, i uintptr)
	seen  uintptr // one bit for each 8 bytes of the arena
	bytes uintptr // of the bitmap
	w     worker
}

// Start takes what tracing needs; false: there is no memory for it. Within Frozen, or at the end of
// marking.
func (r *Reach) Start() bool {
	r.bytes = (arena.used/64 + 4095) &^ 4095
	r.seen = osMap(r.bytes)
	if r.seen == 0 {
		return false
	}
	r.w.start()
	return true
}

// From takes the words of [lo, hi) for roots.
func (r *Reach) From(lo, hi uintptr) {
	for p := (lo + 7) &^ 7; p+8 <= hi; p += 8 {
		word := *(*uintptr)(unsafe.Pointer(p))
		s := spanOf(word)
		if s == nil {
			if word-r.Lo < r.Hi-r.Lo {
				r.Outside(word)
			}
			continue
		}
		i := s.index(word)
		if !s.allocated(i) {
			continue
		}
		base := s.slotAt(i)
		m, bit := r.bit(base)
		if *m&bit != 0 {
			continue
		}
		*m |= bit
		if r.first != nil {
			r.first(p, word, s, i)
		}
		if !s.class.noscan() {
			if !s.stale {
				r.w.push(base)
			}
		} else if r.Opaque != nil {
			r.Opaque(base, s.extentOf(base)-base)
		}
	}
}

// bit is the place of the object at base in the bitmap.
func (r *Reach) bit(base uintptr) (word *uint64, bit uint64) {
	i := (base - arena.base) >> 3
	return wordAt(r.seen, i>>6), 1 << (i & 63)
}

// All goes on until nothing more is reached.
func (r *Reach) All() {
	for {
		e := r.w.pop()
		if e == 0 {
			if r.w.takeFull() {
				continue
			}
			return
		}
		r.From(e, spanOf(e).extentOf(e))
	}
}

// Has reports whether p is in an object that was reached, or in none.
func (r *Reach) Has(p uintptr) bool {
	s := spanOf(p)
	if s == nil {
		return true
	}
	m, bit := r.bit(s.slotAt(s.index(p)))
	return *m&bit != 0
}

// End gives back what Start took. Nothing was added after All.
func (r *Reach) End() {
	r.w.finish()
	osUnmap(r.seen, r.bytes)
}
