package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/sched"
	"sync/atomic"
	"unsafe"
)

// Finalizers and cleanups. The heap keeps the records and queues the calls that are due after each cycle;
// one goroutine, started when the first is registered, makes them in order.

// SetFinalizer arranges for finalizer(obj) to be called some time after the object that obj points to
// has become unreachable; nil removes the finalizer. obj must point to the beginning of an object that was
// allocated by new, a composite literal or the address of a local variable. finalizer must be a
// function with one parameter to which obj can be assigned; its results are ignored.
func SetFinalizer(obj any, finalizer any) {
	e := efaceOf(&obj)
	if e.typ == nil {
		throw("runtime.SetFinalizer: first argument is nil")
	}
	if e.typ.Kind() != abi.Pointer {
		throw("runtime.SetFinalizer: first argument is " + e.typ.string() + ", not pointer")
	}
	elem := (*abi.PtrType)(unsafe.Pointer(e.typ)).Elem
	base, _, ok := heap.FindObject(uintptr(e.data))
	if !ok {
		if !heap.InHeap(uintptr(e.data)) && e.data != nil {
			// A variable of the program or an object of size 0: lives for ever.
			return
		}
		throw("runtime.SetFinalizer: pointer not in allocated block")
	}
	if uintptr(e.data) != base && (elem.Pointers() || elem.Size_ >= maxTinySize) {
		// Small objects without pointers may share a block.
		throw("runtime.SetFinalizer: pointer not at beginning of allocated block")
	}
	f := efaceOf(&finalizer)
	if f.typ == nil {
		heap.RemoveFinalizer(e.data)
		return
	}
	if f.typ.Kind() != abi.Func {
		throw("runtime.SetFinalizer: second argument is " + f.typ.string() + ", not a function")
	}
	ft := (*abi.FuncType)(unsafe.Pointer(f.typ))
	refuse := "runtime.SetFinalizer: cannot pass " + e.typ.string() + " to finalizer " + f.typ.string()
	if ft.IsVariadic() {
		throw(refuse + " because dotdotdot")
	}
	if ft.NumIn() != 1 || !finalizerTakes(ft.In(0), &e.typ.Type, elem) {
		throw(refuse)
	}
	startFinalizers()
	info := heap.FinalizerInfo{
		ArgType:   uintptr(unsafe.Pointer(e.typ)),
		ParamType: uintptr(unsafe.Pointer(ft)),
	}
	if !heap.SetFinalizer(e.data, f.data, info) {
		throw("runtime.SetFinalizer: finalizer already set")
	}
	KeepAlive(obj)
}

// maxTinySize is the size below which objects without pointers may be packed into one block.
const maxTinySize = 16

// finalizerTakes says whether a pointer of type arg (to elem) can be assigned to param.
func finalizerTakes(param, arg, elem *abi.Type) bool {
	switch {
	case param == arg:
		return true
	case param.Kind() == abi.Pointer:
		return (param.Uncommon() == nil || arg.Uncommon() == nil) && (*abi.PtrType)(unsafe.Pointer(param)).Elem == elem
	case param.Kind() == abi.Interface:
		inter := (*abi.InterfaceType)(unsafe.Pointer(param))
		return len(inter.Methods) == 0 || assertE2I2(inter, arg, nil) != nil
	}
	return false
}

// Cleanup is a handle of a registered cleanup.
type Cleanup struct {
	id  uint64
	ptr uintptr
}

// AddCleanup arranges for cleanup(arg) to be called some time after the object that ptr points into has
// become unreachable. An object may have several. arg must not keep the object reachable;
// neither must what cleanup captures.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	checkCleanupArg(unsafe.Pointer(ptr), any(&arg))
	fn := func() { cleanup(arg) }
	return addCleanup(unsafe.Pointer(ptr), *(*unsafe.Pointer)(unsafe.Pointer(&fn)))
}

// checkCleanupArg panics if the argument, to which arg points, is itself a pointer into the object.
func checkCleanupArg(p unsafe.Pointer, arg any) {
	e := efaceOf(&arg)
	elem := (*abi.PtrType)(unsafe.Pointer(e.typ)).Elem
	if !isPointerKind(elem) {
		return
	}
	q := *(*unsafe.Pointer)(e.data)
	if q == p {
		panic("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
	}
	base, size, ok := heap.FindObject(uintptr(p))
	if ok && base <= uintptr(q) && uintptr(q) < base+size && size > maxTinySize {
		panic("runtime.AddCleanup: ptr is within arg, cleanup will never run")
	}
}

func isPointerKind(t *abi.Type) bool {
	k := t.Kind()
	return k == abi.Pointer || k == abi.UnsafePointer
}

func addCleanup(p, fn unsafe.Pointer) Cleanup {
	startFinalizers()
	id := heap.AddCleanup(p, fn)
	if id == 0 {
		return Cleanup{}
	}
	return Cleanup{id: id, ptr: uintptr(p)}
}

// Stop cancels the cleanup if it has not been queued yet. To be sure that it
// has not, the object must be kept reachable over the call.
func (c Cleanup) Stop() {
	if c.id != 0 {
		heap.RemoveCleanup(c.ptr, c.id)
	}
}

// finalizers is the state of the goroutine that makes the calls.
var finalizers struct {
	started atomic.Bool
	self    *sched.G
	g       atomic.Pointer[sched.G] // self while it is parked
	running atomic.Bool             // it looks for a call, or makes one
}

func startFinalizers() {
	if finalizers.started.CompareAndSwap(false, true) {
		sched.NewSystem(runFinalizers)
	}
}

// runFinalizers is the goroutine.
func runFinalizers() {
	gp := sched.CurrentG()
	finalizers.self = gp
	for {
		finalizers.running.Store(true) // before a call that it makes is off the queue
		f, ok := heap.NextFinalizer()
		if !ok {
			finalizers.running.Store(false)
			sched.Park(parkFinalizers, nil, sched.WaitFinalizer)
			continue
		}
		gp.Finalizer = true
		callFinalizer(&f)
		f = heap.Finalizer{}
		gp.Finalizer = false
	}
}

// parkFinalizers publishes that the goroutine sleeps, unless a call was queued meanwhile.
func parkFinalizers(unsafe.Pointer) bool {
	gp := finalizers.self
	finalizers.g.Store(gp)
	if heap.FinalizersWaiting() && finalizers.g.CompareAndSwap(gp, nil) {
		return false
	}
	return true
}

// wakeFinalizers is heap's hook: calls have been queued. System stack.
func wakeFinalizers() {
	if gp := finalizers.g.Swap(nil); gp != nil {
		sched.Ready(gp)
	}
}

// callFinalizer makes one call.
func callFinalizer(f *heap.Finalizer) {
	if f.Obj == nil {
		fn := f.Fn
		(*(*func())(unsafe.Pointer(&fn)))()
		return
	}
	ft := (*abi.FuncType)(ptr(f.Info.ParamType))
	arg := abi.EmptyInterface{Type: (*abi.Type)(ptr(f.Info.ArgType)), Data: f.Obj}
	f.Obj = nil
	second := unsafe.Pointer(nil)
	first := arg.Data
	if param := ft.In(0); param.Kind() == abi.Interface {
		first, second = unsafe.Pointer(arg.Type), arg.Data
		if inter := (*abi.InterfaceType)(unsafe.Pointer(param)); len(inter.Methods) != 0 {
			first = unsafe.Pointer(assertE2I(inter, arg.Type, nil))
		}
	}
	fn := f.Fn
	// Surplus arguments do no harm in this calling convention, so the pointer's form serves
	// both. Results in memory come as a hidden first argument.
	if size, inMemory := resultArea(ft); inMemory {
		area := mallocgc(size, nil, true)
		(*(*func(area, a, b unsafe.Pointer))(unsafe.Pointer(&fn)))(area, first, second)
		return
	}
	(*(*func(a, b unsafe.Pointer))(unsafe.Pointer(&fn)))(first, second)
}

// resultArea says whether functions of type ft return in memory, and how much of it they need (see rt/HACKING.md,
// "Calling convention").
func resultArea(ft *abi.FuncType) (size uintptr, inMemory bool) {
	ints, floats, big := 0, 0, false
	for _, t := range ft.OutSlice() {
		size = (size+uintptr(t.Align_)-1)&^(uintptr(t.Align_)-1) + t.Size_
		i, f, ok := countLeaves(t)
		ints, floats, big = ints+i, floats+f, big || !ok || i+f > 4
	}
	return size + 8, big || ints > 3 || floats > 2
}

// countLeaves counts the scalars that a value of type t is passed as; ok is false for types that are
// always in memory.
func countLeaves(t *abi.Type) (ints, floats int, ok bool) {
	switch t.Kind() {
	case abi.Float32, abi.Float64:
		return 0, 1, true
	case abi.Complex64, abi.Complex128:
		return 0, 2, true
	case abi.String, abi.Interface:
		return 2, 0, true
	case abi.Slice:
		return 3, 0, true
	case abi.Array:
		a := (*abi.ArrayType)(unsafe.Pointer(t))
		if a.Len > 1 {
			return 0, 0, false
		}
		if a.Len == 0 {
			return 0, 0, true
		}
		return countLeaves(a.Elem)
	case abi.Struct:
		s := (*abi.StructType)(unsafe.Pointer(t))
		for i := range s.Fields {
			fi, ff, fok := countLeaves(s.Fields[i].Typ)
			if !fok {
				return 0, 0, false
			}
			ints, floats = ints+fi, floats+ff
		}
		return ints, floats, true
	}
	return 1, 0, true
}

// unique_blockUntilEmptyCleanupQueue waits for the queued calls to be made; tests of package unique use it.
//
//go:linkname unique_blockUntilEmptyCleanupQueue unique.runtime_blockUntilEmptyCleanupQueue
func unique_blockUntilEmptyCleanupQueue(timeout int64) bool {
	return blockUntilEmptyFinalizerQueue(timeout)
}

//go:linkname sync_test_blockUntilEmptyCleanupQueue sync_test.runtime_blockUntilEmptyCleanupQueue
func sync_test_blockUntilEmptyCleanupQueue(timeout int64) bool {
	return blockUntilEmptyFinalizerQueue(timeout)
}

// blockUntilEmptyFinalizerQueue waits until no finalizer or cleanup is queued or running, for at most timeout ns.
func blockUntilEmptyFinalizerQueue(timeout int64) bool {
	start := nanotime()
	heap.SettleFinalizers()
	for nanotime()-start < timeout {
		if !heap.FinalizersWaiting() && !finalizers.running.Load() {
			return true
		}
		Gosched()
	}
	return false
}
