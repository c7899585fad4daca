// Package runtime_test has what gc's export_test.go gives to the tests of package runtime, as far as
// it means something for any run-time system. Each is made of what the run-time system offers other
// packages of the standard library, or of a system call.
package runtime_test

import (
	"internal/goarch"
	"runtime"
	"syscall"
	"unsafe"
)

const (
	PtrSize     = goarch.PtrSize
	Raceenabled = false

	PreemptMSupported = true // TestAsyncPreempt starts a program that has to be interrupted
)

var (
	givenSink  any
	givenFalse bool
)

// Escape makes x escape.
func Escape[T any](x T) T {
	if givenFalse {
		givenSink = x
	}
	return x
}

// Hashes: of memory, and of values by their types.

//go:linkname memHash runtime.memhash
func memHash(p unsafe.Pointer, seed, size uintptr) uintptr

//go:linkname memHash32 runtime.memhash32
func memHash32(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname memHash64 runtime.memhash64
func memHash64(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname strHash runtime.strhash
func strHash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname ifaceHash runtime.interhash
func ifaceHash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname efaceHash runtime.nilinterhash
func efaceHash(p unsafe.Pointer, seed uintptr) uintptr

func StringHash(s string, seed uintptr) uintptr { return strHash(unsafe.Pointer(&s), seed) }

func BytesHash(b []byte, seed uintptr) uintptr {
	return memHash(unsafe.Pointer(unsafe.SliceData(b)), seed, uintptr(len(b)))
}

func Int32Hash(n uint32, seed uintptr) uintptr { return memHash32(unsafe.Pointer(&n), seed) }

func Int64Hash(n uint64, seed uintptr) uintptr { return memHash64(unsafe.Pointer(&n), seed) }

func EfaceHash(x any, seed uintptr) uintptr { return efaceHash(unsafe.Pointer(&x), seed) }

func IfaceHash(x interface{ F() }, seed uintptr) uintptr {
	return ifaceHash(unsafe.Pointer(&x), seed)
}

// Memory.

//go:linkname MemclrNoHeapPointers runtime.memclrNoHeapPointers
func MemclrNoHeapPointers(p unsafe.Pointer, n uintptr)

//go:linkname Memmove reflect.memmove
func Memmove(to, from unsafe.Pointer, n uintptr)

func MemclrBytes(b []byte) {
	MemclrNoHeapPointers(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
}

// Arenas.

//go:linkname newArena arena.runtime_arena_newArena
func newArena() unsafe.Pointer

//go:linkname arenaNew arena.runtime_arena_arena_New
func arenaNew(arena unsafe.Pointer, typ any) any

//go:linkname arenaSlice arena.runtime_arena_arena_Slice
func arenaSlice(arena unsafe.Pointer, slice any, n int)

//go:linkname arenaClone arena.runtime_arena_heapify
func arenaClone(x any) any

func UserArenaClone[T any](x T) T { return arenaClone(x).(T) }

// UserArena is an arena whose New takes the type from a value.
type UserArena struct{ memory unsafe.Pointer }

//go:linkname arenaFree arena.runtime_arena_arena_Free
func arenaFree(arena unsafe.Pointer)

func NewUserArena() *UserArena { return &UserArena{newArena()} }

func (a *UserArena) New(out *any) {
	// The run-time system takes the pointer's type as a value, which reflect's Type holds.
	*out = arenaNew(a.memory, typeAsValue(*out))
}

func (a *UserArena) Slice(slice any, n int) { arenaSlice(a.memory, slice, n) }

func (a *UserArena) Free() { arenaFree(a.memory) }

// typeAsValue makes an interface whose data is x's type.
func typeAsValue(x any) any {
	var t any = new(int)
	(*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] = (*[2]unsafe.Pointer)(unsafe.Pointer(&x))[0]
	return t
}

// Finalizers and cleanups.

//go:linkname BlockUntilEmptyFinalizerQueue runtime.blockUntilEmptyFinalizerQueue
func BlockUntilEmptyFinalizerQueue(timeout int64) bool

//go:linkname BlockUntilEmptyCleanupQueue runtime.blockUntilEmptyCleanupQueue
func BlockUntilEmptyCleanupQueue(timeout int64) bool

// Time, tracebacks and frames.

//go:linkname Nanotime runtime.nanotime
func Nanotime() int64

//go:linkname SetTracebackEnv runtime/debug.SetTraceback
func SetTracebackEnv(level string)

// PanicForTesting panics in a function that is not exported.
//
//go:noinline
func PanicForTesting(b []byte, i int) byte { return indexForTesting(b, i) }

//go:noinline
func indexForTesting(b []byte, i int) byte { return b[i] }

//go:linkname FrameStartLine runtime/pprof.runtime_FrameStartLine
func FrameStartLine(f *runtime.Frame) int

// The system.

//go:linkname runtimeWrite runtime.write
func runtimeWrite(fd uintptr, p unsafe.Pointer, n int32) int32

func Write(fd uintptr, p unsafe.Pointer, n int32) int32 { return runtimeWrite(fd, p, n) }

// Sigisblocked tells whether the calling thread's mask has signal n.
func Sigisblocked(n int) bool {
	const setmask = 2
	var mask uint64
	syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, setmask, 0, uintptr(unsafe.Pointer(&mask)), 8, 0, 0)
	return mask>>(n-1)&1 != 0
}
