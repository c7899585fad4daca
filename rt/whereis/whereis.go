//go:build loam

// Package whereis asks the running program's table (package symtab) which function and line a
// program counter belongs to, and remembers the last answers. It has symtab's rules.
package whereis

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/symtab"
	"loam/rt/sys"
)

// program is the running program's table. The link sets it.
//
//go:linkname program loam.table
var program string

func self() symtab.Table {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(program)), sys.Bias())), len(program))
}

// lookup is the table's Lookup with the program's addresses.
func lookup(pc uintptr, out *[symtab.MaxInline]symtab.Frame) int {
	n := self().Lookup(pc-sys.TextBias(), out)
	if sys.Movable {
		for i := range out[:n] {
			out[i].Move(sys.TextBias())
		}
	}
	return n
}

// Lookup stores the logical frames of the running program at pc, innermost first, and returns how
// many there are: 0 if nothing is known. Code that lies behind a function, out of line, is the
// function's where it goes on. For a return address ask for pc-1. Any stack; does
// not allocate from the heap.
func Lookup(pc uintptr, out *[symtab.MaxInline]symtab.Frame) int {
	// Programs ask for the same few places again and again. A caller that finds the memory in use
	// does without it, a signal handler that has interrupted its user among others.
	mine := using.CompareAndSwap(0, 1)
	if mine {
		if n := recall(pc, out); n > 0 {
			using.Store(0)
			return n
		}
		using.Store(0)
	}
	n := lookup(pc, out)
	if n == 0 {
		if p, ok := outOfLine(pc); ok {
			n = lookup(p.owner, out)
			for i := range out[:n] {
				out[i].From, out[i].To = p.lo, p.hi
			}
		}
	}
	if mine && n > 0 && n <= len(answer{}.frames) && using.CompareAndSwap(0, 1) {
		remember(pc, out[:n])
		using.Store(0)
	}
	return n
}

// Nullary reports whether the physical function at pc is known to have no parameters. Any stack;
// does not allocate from the heap.
func Nullary(pc uintptr) bool { return self().Nullary(pc - sys.TextBias()) }

// ReturnSlot says where in the physical function at pc its return address lies: so many bytes above
// the stack pointer. ok is false if that is not known, or goes by the frame pointer. Any stack;
// does not allocate from the heap.
func ReturnSlot(pc uintptr) (above uintptr, ok bool) {
	if above, ok = self().ReturnSlot(pc - sys.TextBias()); ok {
		return above, true
	}
	p, ok := outOfLine(pc)
	if ok {
		above, ok = self().ReturnSlot(p.owner - sys.TextBias())
	}
	return above + p.below, ok
}

// answer is what Lookup said about pc, if that was not more than fits.
type answer struct {
	pc     uintptr
	n      int
	frames [4]symtab.Frame
}

const recentBits = 9

var (
	using  atomic.Uint32 // 1 while a thread uses recent
	recent []answer      // the last answers, each in the place that its pc hashes to
)

func placeOf(pc uintptr) *answer { return &recent[uint64(pc)*0x9E3779B97F4A7C15>>(64-recentBits)] }

// recall returns how many frames it knows at pc, and stores them.
func recall(pc uintptr, out *[symtab.MaxInline]symtab.Frame) int {
	if recent == nil {
		return 0
	}
	a := placeOf(pc)
	if a.pc != pc {
		return 0
	}
	copy(out[:], a.frames[:a.n])
	return a.n
}

func remember(pc uintptr, frames []symtab.Frame) {
	if recent == nil {
		p := mapMemory(unsafe.Sizeof(answer{}) << recentBits)
		if p == nil {
			return
		}
		recent = unsafe.Slice((*answer)(p), 1<<recentBits)
	}
	a := placeOf(pc)
	a.pc, a.n = pc, len(frames)
	copy(a.frames[:], frames)
}

// mapMemory returns n zeroed bytes, nil if there are none.
func mapMemory(n uintptr) unsafe.Pointer {
	if sys.Simulated {
		return sys.SimOwn(n, -1)
	}
	const protReadWrite, privateAnonymous = 3, 0x22
	p := sys.Syscall6(sys.SYS_MMAP, 0, n, protReadWrite, privateAnonymous, ^uintptr(0), 0)
	if int(p) < 0 {
		return nil
	}
	return sys.Ptr(p)
}
