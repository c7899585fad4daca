package timer

import (
	"unsafe"

	"loam/rt/park"
)

// The heap order: no entry is later than its four children; entry i's children are
// 4i+1 .. 4i+4. Williams' heap with d = 4 (Johnson 1975): half the depth of the
// binary one, and the children lie together. All functions need the heap's lock.

// before is the order. In a bubble, where many timers are due at exactly the same
// time, those are in random order, so that a test does not come to depend on one.
func (h *Heap) before(a, b entry) bool {
	return a.when < b.when || a.when == b.when && h.private && a.t.rank < b.t.rank
}

// Len returns how many timers P number p has, or had a moment ago. Any thread.
func Len(p int32) int32 { return heaps[p%HeapCount].n }

func (h *Heap) add(t *Timer, when int64) {
	if h.n == h.size {
		h.grow()
	}
	if !h.listed {
		h.enlist()
	}
	if h.private {
		t.rank = park.Rand(1 << 31)
	}
	i := h.n
	h.n++
	h.up(i, entry{when, t})
}

func (h *Heap) remove(i int32) {
	h.entries[i].t.pos = 0
	h.n--
	last := h.entries[h.n]
	h.entries[h.n] = entry{}
	if i != h.n {
		h.place(i, last)
	}
	if h.size > leastSize && h.n < h.size/8 {
		h.resize(h.size / 4) // a burst is over
	}
}

func (h *Heap) move(i int32, when int64) {
	h.place(i, entry{when, h.entries[i].t})
}

// place puts e where entry i is, or above or below it.
func (h *Heap) place(i int32, e entry) {
	if i > 0 && h.before(e, h.entries[(i-1)/4]) {
		h.up(i, e)
	} else {
		h.down(i, e)
	}
}

func (h *Heap) up(i int32, e entry) {
	for i > 0 {
		parent := (i - 1) / 4
		if !h.before(e, h.entries[parent]) {
			break
		}
		h.set(i, h.entries[parent])
		i = parent
	}
	h.set(i, e)
}

func (h *Heap) down(i int32, e entry) {
	for {
		child := 4*i + 1
		if child >= h.n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, h.n); c++ {
			if h.before(h.entries[c], h.entries[least]) {
				least = c
			}
		}
		if !h.before(h.entries[least], e) {
			break
		}
		h.set(i, h.entries[least])
		i = least
	}
	h.set(i, e)
}

// set stores an entry. A collection reads the array while entries move about in it: one that moves
// from where it has not looked yet to where it has would be missed, and a timer that runs may have
// no other reference.
func (h *Heap) set(i int32, e entry) {
	h.entries[i] = e
	park.Shade(unsafe.Pointer(e.t))
	e.t.pos = i + 1
}

// leastSize is the length of the smallest array.
const leastSize = 64

// grow doubles the array.
func (h *Heap) grow() { h.resize(max(leastSize, 2*h.size)) }

// resize moves the entries to another array. The old one is garbage then, but not its entries: they
// are cleared, because a stale word may keep it.
func (h *Heap) resize(size int32) {
	to := (*[1 << 30]entry)(park.Object(uintptr(size) * unsafe.Sizeof(entry{})))
	for i := int32(0); i < h.n; i++ {
		to[i] = h.entries[i]
		park.Shade(unsafe.Pointer(to[i].t))
		h.entries[i] = entry{}
	}
	h.entries = to
	park.Shade(unsafe.Pointer(to))
	h.size = size
}
