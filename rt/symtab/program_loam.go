//go:build loam

package symtab

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sys"
)

var (
	lock   sys.Mutex
	holder atomic.Uintptr // thread block of the lock's holder, for recursion by a fault
	self   table
	file   []byte // the program's, mapped
	loaded bool
)

// Start maps the program's file: a process that has no descriptor left, or another root directory,
// cannot do that when a stack is to be printed. Nothing is read yet.
func Start() { file = mapProgram() }

// Lookup stores the logical frames of the running program at pc, innermost first, and returns how
// many there are: 0 if nothing is known. For a return address ask for pc-1. Any stack; does
// not allocate from the heap.
func Lookup(pc uintptr, out *[MaxInline]Frame) int {
	if !open() {
		return 0
	}
	n := self.find(pc, out)
	done()
	return n
}

// Nullary says whether the physical function at pc is known to have no parameters. Any stack; does
// not allocate from the heap.
func Nullary(pc uintptr) bool {
	if !open() {
		return false
	}
	yes := self.nullary(pc)
	done()
	return yes
}

// ReturnSlot says where in the physical function at pc its return address lies: so many bytes above
// the stack pointer. ok is false if that is not known, or goes by the frame pointer. Any stack;
// does not allocate from the heap.
func ReturnSlot(pc uintptr) (above uintptr, ok bool) {
	if !open() {
		return 0, false
	}
	s := &slots[pc%uintptr(len(slots))]
	if s.pc != pc {
		s.pc = pc
		s.above, s.ok = self.returnSlot(pc)
	}
	above, ok = s.above, s.ok
	done()
	return above, ok
}

// slots are answers of ReturnSlot, which reads the debug information from its beginning. A program
// that maps files, and recovers from faults (debug.SetPanicOnFault), faults at few places, often.
var slots [61]struct {
	pc, above uintptr
	ok        bool
}

// open takes the lock, and loads the program's file the first time. It returns false if this thread
// has crashed while it held the lock.
func open() bool {
	me := uintptr(unsafe.Pointer(sys.Self()))
	if holder.Load() == me {
		return false
	}
	lock.Lock()
	holder.Store(uintptr(unsafe.Pointer(sys.Self())))
	if !loaded {
		loaded = true
		if file == nil {
			file = mapProgram()
		}
		if file != nil {
			self.load(file)
		}
	}
	return true
}

// done gives back what open took.
func done() {
	holder.Store(0)
	lock.Unlock()
}

// mapProgram maps the running program's file. Where there is no /proc it goes by the name that the
// program was executed by, unless who did that could so have it read a file that it trusts too
// much.
func mapProgram() []byte {
	path := "/proc/self/exe\x00"
	name := unsafe.StringData(path)
	m := mapFile(name)
	if m == nil && sys.ExecName != nil && !sys.Secure() {
		m = mapFile(sys.ExecName)
	}
	return m
}

// mapFile maps a file; name ends in a zero byte.
func mapFile(name *byte) []byte {
	const (
		readOnly   = 0
		closeOnX   = 0x80000
		seekEnd    = 2
		protRead   = 1
		mapPrivate = 2
	)
	fd := sys.Syscall6(sys.SYS_OPENAT, ^uintptr(99), uintptr(unsafe.Pointer(name)), readOnly|closeOnX, 0, 0, 0)
	if int(fd) < 0 {
		return nil
	}
	size := sys.Syscall6(sys.SYS_LSEEK, fd, 0, seekEnd, 0, 0, 0)
	p := sys.Syscall6(sys.SYS_MMAP, 0, size, protRead, mapPrivate, fd, 0)
	sys.Syscall6(sys.SYS_CLOSE, fd, 0, 0, 0, 0, 0)
	if int(size) <= 0 || int(p) < 0 {
		return nil
	}
	sys.Made(p, size, false)
	return unsafe.Slice((*byte)(sys.Ptr(p)), size)
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
