//go:build loam

package world

import (
	"math/bits"
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sys"
)

// Memory of packets: pieces whose sizes are powers of two, which are used again.

const leastPiece = 8 // bits

var freePieces [32]uintptr // lists by size, linked through the first word

func piece(size int) int { return max(leastPiece, bits.Len(uint(size-1))) }

// allocate returns memory, not cleared.
func allocate(size int) unsafe.Pointer {
	c := piece(size)
	p := freePieces[c]
	if p == 0 {
		return heap.Permanent(1<<c, 64, false)
	}
	freePieces[c] = *(*uintptr)(sys.Ptr(p))
	return sys.Ptr(p)
}

// freePiece takes back what allocate has returned.
func freePiece(p unsafe.Pointer, size int) {
	c := piece(size)
	*(*uintptr)(p) = freePieces[c]
	freePieces[c] = uintptr(p)
}
