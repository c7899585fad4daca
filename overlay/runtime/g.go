package runtime

import (
	"internal/abi"
	"loam/rt/sys"
	"unsafe"
)

// curg returns the fixed prefix of the current goroutine's descriptor: saved stack pointer,
// innermost defer frame, panic chain. The rest of a G belongs to rt/sched. On the system stack it
// is g0's.
func curg() *sys.Context { return (*sys.Context)(sys.G()) }

func add(p unsafe.Pointer, n uintptr) unsafe.Pointer { return unsafe.Pointer(uintptr(p) + n) }

// eface is the memory form of an interface value without methods.
type eface struct {
	typ  *rtype
	data unsafe.Pointer
}

func efaceOf(v *any) *eface { return (*eface)(unsafe.Pointer(v)) }

// callCode calls the Go function without parameters whose code is at pc.
func callCode(pc uintptr) {
	closure := &struct{ code uintptr }{pc}
	(*(*func())(unsafe.Pointer(&closure)))()
}

// ptr makes a pointer of an address that is known to be one.
func ptr(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// funcPC returns the address of the code of a func value.
func funcPC[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// Pushed by rt/heap.

func newobject(t *abi.Type) unsafe.Pointer
func newarray(t *abi.Type, n int) unsafe.Pointer
func mallocgc(size uintptr, t *abi.Type, needzero bool) unsafe.Pointer
