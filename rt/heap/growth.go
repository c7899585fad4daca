package heap

import "loam/rt/sizeclass"

// maxAlloc bounds sizes, as under gc: no object is larger than the address space.
const maxAlloc = 1 << 48

// nextCap is the capacity append asks for when a slice of capacity oldCap must hold
// newLen elements: double it while small, then grow by a quarter and 192, going over
// from the one to the other smoothly. The sizes are part of what programs can see,
// so they are gc's.
func nextCap(newLen, oldCap int) int {
	const threshold = 256
	if newLen > oldCap+oldCap {
		return newLen
	}
	if oldCap < threshold {
		return oldCap + oldCap
	}
	c := oldCap
	for uint(c) < uint(newLen) {
		c += (c + 3*threshold) >> 2
	}
	if c <= 0 {
		return newLen // the sum overflowed
	}
	return c
}

// sliceMemory computes the allocation for a slice of at least want elements of the
// given size (> 0): the capacity that fills the slot, and its bytes. ok is false if
// that exceeds the address space.
func sliceMemory(want int, elem uintptr, scan bool) (capacity int, bytes uintptr, ok bool) {
	if want < 0 || uintptr(want) > maxAlloc/elem {
		return 0, 0, false
	}
	room := sizeclass.RoundUp(uintptr(want)*elem, scan)
	n := room / elem
	return int(n), n * elem, n*elem <= maxAlloc
}
