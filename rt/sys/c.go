package sys

import "unsafe"

// In a program with C the C library makes the threads: what it keeps in front of and behind the FS
// base is its own, and the thread block lies between its thread-local variables (docs/abi.md). C
// runs on the thread's system stack.

// CFunctions are addresses of C functions that the run-time system calls. overlay/runtime/cgo has
// them; each takes one address.
type CFunctions struct {
	NewThread uintptr // of a cThread: makes it, returns an errno
	Bounds    uintptr // of a cThread: tells of the calling thread
	Keep      uintptr // of a function, to be called with the word when the calling thread ends
	Setenv    uintptr // of the addresses of two C strings
	Unsetenv  uintptr // of a C string
	// of a function of C that is to be called when C calls Go, and afterwards
	SetContext uintptr
}

// C is nil in a program without C.
//
//go:linkname C loam.c_functions
var C *CFunctions

// HasC reports whether C is part of the program.
func HasC() bool { return C != nil }

// calledByC is where what C calls by crosscall2 returns to.
//
//go:linkname calledByC loam.called_by_c
var calledByC byte

// IsReturnToC reports whether a return address is that of what C has called. Any stack.
func IsReturnToC(pc uintptr) bool { return pc == uintptr(unsafe.Pointer(&calledByC)) }

// ContextOfC returns where two words are that have what the program's context function returned
// when C called Go. Record is the frame record of the call of C, where crosscall2 went on: the
// words are above what it calls. Any stack.
func ContextOfC(record uintptr) uintptr { return (record-belowRecord)&^15 - 16 }

// belowRecord are the bytes that CallC keeps below its frame record; Thread.GoSP is there.
const belowRecord = 24

// RecordOfC is the frame record of the call of C that has set Thread.GoSP.
func RecordOfC(goSP uintptr) uintptr { return goSP + belowRecord }

// CallC calls a C function with an address, on the system stack, and returns its result. In between
// the thread is the caller's: its goroutine is in a system call (sched.EnterSyscall), or does not
// switch. Any stack; C may call Go only between EnterSyscall and ExitSyscall on a goroutine's.
func CallC(fn uintptr, arg unsafe.Pointer) uintptr
