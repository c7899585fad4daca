package runtime

import (
	"loam/rt/symtab"
	"sync/atomic"
)

// # Program counters that stand for inlined calls
//
// Callers returns one program counter for each logical frame. The innermost frame of a piece of
// code has the address itself. A frame around an inlined call has an address of its own: where the
// code of that inlined call begins. So it does not depend on the place in the inlined function, and
// programs know a call by one number, whether it was inlined or not. Which frame is meant is
// told by a tag in bits that no address of a program has: bits 48 to 55 are 1 for the function
// itself, 2 for the one that was inlined into it, and so on. CallersFrames and FuncForPC decode it.
// Arithmetic such as pc-1 leaves the tag alone, and pc and pc-1 mean the same.

const pcTagShift = 48

func tagPC(pc uintptr, tag int) uintptr { return pc | uintptr(tag)<<pcTagShift }

func untagPC(pc uintptr) (addr uintptr, tag int) {
	return pc & (1<<pcTagShift - 1), int(pc >> pcTagShift & 0xFF)
}

// taggedFrame returns which of the n frames at an address, innermost first, a tag means. It is -1
// or less if that is none of them.
func taggedFrame(n, tag int) int {
	if tag == 0 {
		return 0
	}
	return n - tag
}

// logicalPCs keeps the last answers of logicalPC. Each has two words: what was asked, and the
// answer. The first is stored with the second's bits flipped in, so that of two answers that are
// written at the same time none is believed whose words are mixed.
var logicalPCs [1024][2]uint64

// logicalPC returns the program counter of frame i, counted from the innermost, at the return
// address pc, which may itself be a result.
func logicalPC(pc uintptr, i int) uintptr {
	if i == 0 {
		return pc
	}
	addr, _ := untagPC(pc)
	asked := uint64(tagPC(addr, i))
	entry := &logicalPCs[asked*0x9E3779B97F4A7C15>>54]
	answer := atomic.LoadUint64(&entry[1])
	if atomic.LoadUint64(&entry[0])^answer != asked || answer == 0 {
		answer = uint64(findLogicalPC(addr, i))
		atomic.StoreUint64(&entry[0], asked^answer)
		atomic.StoreUint64(&entry[1], answer)
	}
	return uintptr(answer)
}

//go:noinline
func findLogicalPC(addr uintptr, i int) uintptr {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(addr-1, &out)
	if i >= n {
		return addr
	}
	// Users subtract one, and functions that are given a return address do so too.
	return tagPC(out[i-1].Call+2, n-i)
}

// expandPC appends the program counters of all frames at a return address, as far as there is
// room.
func expandPC(out []uintptr, pc uintptr) []uintptr {
	n := frameShape(pc - 1).frames()
	for i := 0; i < n && len(out) < cap(out); i++ {
		out = append(out, logicalPC(pc, i))
	}
	return out
}
