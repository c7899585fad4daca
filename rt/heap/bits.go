package heap

import (
	"math/bits"
	"unsafe"
)

// Bitmaps live in raw memory as arrays of 64-bit words; bit i is bit i%64 of
// word i/64.

func onesCount(w uint64) int { return bits.OnesCount64(w) }

func wordAt(bitmap uintptr, i uintptr) *uint64 {
	return (*uint64)(unsafe.Pointer(bitmap + i*8))
}

func bitSet(bitmap uintptr, i uintptr) bool {
	return *wordAt(bitmap, i>>6)>>(i&63)&1 != 0
}

// forBits calls f for each word that overlaps bits [from, from+n), with the mask of
// the bits meant.
func forBits(bitmap, from, n uintptr, f func(w *uint64, mask uint64)) {
	for n > 0 {
		shift := from & 63
		k := min(64-shift, n)
		mask := ^uint64(0) >> (64 - k) << shift
		f(wordAt(bitmap, from>>6), mask)
		from += k
		n -= k
	}
}

// nextClear returns the first clear bit in [from, n), or n.
func nextClear(bitmap, from, n uintptr) uintptr {
	for from < n {
		w := ^*wordAt(bitmap, from>>6) >> (from & 63)
		if w != 0 {
			return min(from+uintptr(bits.TrailingZeros64(w)), n)
		}
		from = (from | 63) + 1
	}
	return n
}

// nextSet returns the first set bit in [from, n), or n.
func nextSet(bitmap, from, n uintptr) uintptr {
	for from < n {
		w := *wordAt(bitmap, from>>6) >> (from & 63)
		if w != 0 {
			return min(from+uintptr(bits.TrailingZeros64(w)), n)
		}
		from = (from | 63) + 1
	}
	return n
}

func addrOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

func ptr(p uintptr) unsafe.Pointer { return unsafe.Pointer(p) }
