//go:build loam

package heap

import (
	"unsafe"

	"loam/rt/sys"
)

// A loop that stores pointers spends nearly all of its time in loam.shade while a collection marks,
// on cache misses. It is run-time code, where a goroutine cannot be taken off its thread: a thread
// that stops the world would have to try dozens of times, for a millisecond. So what interrupts
// loam.shade finishes it.

//go:linkname shadeStart loam.shade
var shadeStart byte

//go:linkname shadeDone loam.shade_done
var shadeDone byte

// InShade reports whether pc is in loam.shade where EndShade may end it.
func InShade(pc uintptr) bool {
	return pc-uintptr(unsafe.Pointer(&shadeStart)) <= uintptr(unsafe.Pointer(&shadeDone))+4-uintptr(unsafe.Pointer(&shadeStart))
}

// EndShade does for the running goroutine what is left of loam.shade, in which a signal interrupted
// it: the registers of uc are then those of its caller, behind the call. In the signal's handler.
func EndShade(uc *sys.Ucontext) {
	pc := uintptr(uc.RIP)
	pushed := min(pc-uintptr(unsafe.Pointer(&shadeStart)), 4) // each push and pop is one byte
	if done := uintptr(unsafe.Pointer(&shadeDone)); pc > done {
		pushed = 4 - (pc - done)
	}
	// of the return address; the operand is above it, the registers below, from rbp on down
	at := uintptr(uc.RSP) + 8*pushed
	word := func(i int) uint64 { return *(*uint64)(ptr(at + uintptr(8*i))) }
	if pushed > 3 {
		uc.RDX = word(-4)
	}
	if pushed > 2 {
		uc.RCX = word(-3)
	}
	if pushed > 1 {
		uc.RAX = word(-2)
	}
	if pushed > 0 {
		uc.RBP = word(-1)
	}
	uc.RIP = word(0)
	uc.RSP = uint64(at) + 16
	shadeSystem(uintptr(word(1)))
}
