package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/reflectcall"
	"loam/rt/sched"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Finalizers. The heap keeps the records and queues the calls that are due after each cycle; one
// goroutine, started when the first is registered, makes them in order. Cleanups have goroutines of
// their own (cleanup.go).

// SetFinalizer arranges for finalizer(obj) to be called some time after the object that obj points
// to has become unreachable; nil removes the finalizer. obj must point to the beginning of an
// object that was allocated by new, a composite literal or the address of a local variable.
// finalizer must be a function with one parameter to which obj can be assigned; its results are
// ignored.
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
		if !heap.InHeap(uintptr(e.data)) && inImage(uintptr(e.data)) {
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
	createfing()
	info := heap.FinalizerInfo{
		ArgType:  uintptr(unsafe.Pointer(e.typ)),
		FuncType: uintptr(unsafe.Pointer(ft)),
		Site:     attachSite(),
	}
	if !heap.SetFinalizer(e.data, f.data, info) {
		throw("runtime.SetFinalizer: finalizer already set")
	}
	KeepAlive(obj)
}

// maxTinySize is the size below which objects without pointers may be packed into one block.
const maxTinySize = 16

// finalizerTakes reports whether a pointer of type arg (to elem) can be assigned to param.
func finalizerTakes(param, arg, elem *abi.Type) bool {
	switch {
	case param == arg:
		return true
	case param.Kind() == abi.Pointer:
		return (param.Uncommon() == nil || arg.Uncommon() == nil) && (*abi.PtrType)(unsafe.Pointer(param)).Elem == elem
	case param.Kind() == abi.Interface:
		inter := (*abi.InterfaceType)(unsafe.Pointer(param))
		return len(inter.Methods) == 0 || assertE2I2(inter, arg, nil, nil) != nil
	}
	return false
}

// finalizers is the state of the goroutine that makes the calls.
var finalizers struct {
	started atomic.Bool
	caller
}

// createfing starts it. Tracebacks say so.
//
//go:noinline
func createfing() {
	if finalizers.started.CompareAndSwap(false, true) {
		sched.NewSystem(runFinalizers)
	}
}

// runFinalizers is the goroutine.
func runFinalizers() {
	c := &finalizers.caller
	c.self = sched.CurrentG()
	for {
		c.running.Store(true)
		f, ok := heap.NextFinalizer()
		if !ok {
			c.running.Store(false)
			sched.Park(parkFinalizers, nil, sched.WaitFinalizer)
			continue
		}
		c.self.Finalizer = true
		if race.Enabled {
			sched.RaceKnows()
		}
		callFinalizer(&f)
		f = heap.Finalizer{}
		c.self.Finalizer = false
	}
}

func parkFinalizers(unsafe.Pointer) bool { return finalizers.park(heap.FinalizersWaiting) }

// A caller is a goroutine that makes calls that are due.
type caller struct {
	self *sched.G
	g    atomic.Pointer[sched.G] // self while it is parked
	// it looks for a call, or makes one; set before the call is off the queue
	running atomic.Bool
}

// blocks reports whether the goroutine is in a call that waits for something.
func (c *caller) blocks() bool {
	if !c.running.Load() || c.self == nil {
		return false
	}
	s := atomic.LoadUint32(&c.self.Status)
	return s == sched.Waiting || s == sched.Syscall
}

// park publishes that the goroutine sleeps, unless a call was queued meanwhile. System stack.
func (c *caller) park(waiting func() bool) bool {
	gp := c.self
	c.g.Store(gp)
	return !waiting() || !c.g.CompareAndSwap(gp, nil)
}

// wake wakes the goroutine if it sleeps, and says whether it did. With a P.
func (c *caller) wake() bool {
	gp := c.g.Swap(nil)
	if gp != nil {
		sched.Ready(gp)
	}
	return gp != nil
}

// wakeFinalizers is heap's hook: calls have been queued. System stack.
func wakeFinalizers() {
	finalizers.wake()
	moreCleaners()
}

// callFinalizer makes one call.
func callFinalizer(f *heap.Finalizer) {
	ft := (*abi.FuncType)(ptr(f.Info.FuncType))
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
	if ft.NumOut() != 0 {
		callWithResults(ft, f.Fn, [2]unsafe.Pointer{first, second})
		return
	}
	// A surplus argument does no harm in this calling convention, so the interface's form serves both.
	fn := f.Fn
	(*(*func(a, b unsafe.Pointer))(unsafe.Pointer(&fn)))(first, second)
}

// callWithResults calls fn, a function of type ft with one parameter, which is the first words of
// args. The results are dropped. The trampoline of package reflect knows which results need memory,
// and has that on the stack, as callers do: the function may keep pointers there without a write
// barrier.
//
//go:noinline
func callWithResults(ft *abi.FuncType, fn unsafe.Pointer, args [2]unsafe.Pointer) {
	t := (*reflectcall.FuncType)(unsafe.Pointer(ft))
	var c reflectcall.Call
	c.Prepare(t, false, fn, abi.FuncPCABIInternal(dropResults))
	c.Pack(t, false, unsafe.Pointer(&args), nil) // no stack words: two at most, and the area's address
	reflectcallDo(&c)
}

//go:linkname reflectcallDo loam/rt/reflectcall.call
//go:noescape
func reflectcallDo(c *reflectcall.Call)

// dropResults is what the trampoline calls with the results.
func dropResults(*reflectcall.Call, *reflectcall.Results, unsafe.Pointer) {}

// blockUntilEmptyFinalizerQueue waits until no finalizer is queued or running, for at most timeout
// ns.
func blockUntilEmptyFinalizerQueue(timeout int64) bool {
	return waitUntil(timeout, finalizersDone)
}

func finalizersDone() bool { return !heap.FinalizersWaiting() && !finalizers.running.Load() }

// waitUntil waits until the calls that are due are queued and done says so, for at most timeout ns.
func waitUntil(timeout int64, done func() bool) bool {
	start := nanotime()
	heap.SettleFinalizers()
	for nanotime()-start < timeout {
		if done() {
			return true
		}
		Gosched()
		if nanotime()-start > 50*1000 {
			sys.OSYield() // the thread that makes the calls may want this CPU
		}
	}
	return false
}
