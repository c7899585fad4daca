//go:build loam

package whereis

import (
	"unsafe"

	"loam/rt/sys"
)

// A write barrier's slow path lies out of line, behind the functions of its section, where the
// table has nothing. It begins and ends by skipping the red zone, and jumps back into the function
// that it belongs to (internal/amd64, barrier).

const (
	redZone = 128
	// pathMax is more than a slow path has: the red zone's two instructions, the jump, and for each
	// of four pointers a test, a jump, a push and a call, or two pushes and a call.
	pathMax = 80
)

//go:linkname textEnd etext
var textEnd byte

// skip is the instruction that a slow path begins with: lea -128(%rsp), %rsp.
var skip = [...]byte{0x48, 0x8d, 0x64, 0x24, 0x80}

// path is a slow path at one of its instructions.
type path struct {
	owner uintptr // where it goes on, in its function
	lo    uintptr // its bounds
	hi    uintptr
	below uintptr // how far the stack pointer is below the function's own
}

// outOfLine finds the slow path that has pc in one of its instructions. Any stack; does not
// allocate.
func outOfLine(pc uintptr) (p path, ok bool) {
	first := self().Start() + sys.TextBias()
	if first == sys.TextBias() || pc < first || pc >= uintptr(unsafe.Pointer(&textEnd)) {
		return path{}, false
	}
	last := uintptr(unsafe.Pointer(&textEnd)) - uintptr(len(skip))
	for at := min(pc, last); at >= first && pc-at < pathMax; at-- {
		if *(*[len(skip)]byte)(sys.Ptr(at)) == skip {
			return readPath(at, pc)
		}
	}
	return path{}, false
}

// readPath reads the slow path that begins at start, up to the jump that ends it. It finds none
// unless pc is in it.
func readPath(start, pc uintptr) (p path, ok bool) {
	p.lo = start
	at, depth := start, uintptr(0) // of an instruction, and the stack pointer's before it
	for at-start < pathMax {
		code := func(i uintptr) byte { return *(*byte)(sys.Ptr(at + i)) }
		size, next := uintptr(1), depth
		switch op := code(0); {
		case op == 0x48 && code(1) == 0x8d && code(2) == 0x64: // lea of a byte
			size, next = 5, redZone
		case op == 0x48 && code(1) == 0x8d && code(2) == 0xa4: // lea of four bytes
			size, next = 8, 0
		case op&^5 == 0x48 && code(1) == 0x85: // test
			size = 3
		case op == 0x74: // je
			size = 2
		case op == 0x41 && code(1)&^7 == 0x50: // push of a new register
			size, next = 2, depth+8
		case op&^7 == 0x50: // push
			next = depth + 8
		case op == 0x6a: // push of a byte
			size, next = 2, depth+8
		case op == 0x68: // push of four bytes
			size, next = 5, depth+8
		case op == 0xe8: // the call removes what was pushed
			size, next = 5, redZone
		case op == 0xeb, op == 0xe9: // jmp
			p.owner, size = target(at)
		default:
			return path{}, false
		}
		if at <= pc && pc < at+size {
			p.below = depth
		}
		at, depth = at+size, next
		if p.owner != 0 {
			p.hi = at
			return p, pc < p.hi
		}
	}
	return path{}, false
}

// target returns where a jump leads, and its size.
func target(at uintptr) (to, size uintptr) {
	if *(*byte)(sys.Ptr(at)) == 0xeb {
		return at + 2 + uintptr(*(*int8)(sys.Ptr(at + 1))), 2
	}
	return at + 5 + uintptr(*(*int32)(sys.Ptr(at + 1))), 5
}
