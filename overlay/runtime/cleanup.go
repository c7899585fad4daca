package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sched"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// Cleanups. They are called by as many goroutines as gc has, a quarter of GOMAXPROCS, at least one:
// a cleanup that blocks does not hold up finalizers, nor one of these the cleanups. The first is
// started with the first cleanup, others when calls wait and all there are have one in hand.

// Cleanup is a handle of a registered cleanup.
type Cleanup struct {
	id  uint64
	ptr uintptr
}

// AddCleanup arranges for cleanup(arg) to be called some time after the object that ptr points into
// has become unreachable. An object may have several. arg must not keep the object reachable;
// neither must what cleanup captures.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	box := (*S)(cleanupBox(abi.TypeFor[S]()))
	*box = arg
	called := *(*unsafe.Pointer)(unsafe.Pointer(&cleanup))
	checkCleanup(unsafe.Pointer(ptr), called, any(box))
	fn := func() { cleanup(*box) }
	info := heap.FinalizerInfo{
		ArgType: uintptr(unsafe.Pointer(abi.TypeFor[*T]())),
		Code:    *(*uintptr)(called),
		Site:    attachSite(),
	}
	return addCleanup(unsafe.Pointer(ptr), *(*unsafe.Pointer)(unsafe.Pointer(&fn)), info)
}

// cleanupBox returns memory for the argument of a cleanup, which is a root until the call: a number
// in it must not be taken for a pointer, as it would be in the closure, and it may not share a
// block with other objects, of which one may be that with the cleanup.
func cleanupBox(t *abi.Type) unsafe.Pointer {
	if t.PtrBytes == 0 {
		return heap.Alloc(max(t.Size_, maxTinySize), true, true)
	}
	return mallocgc(t.Size_, t, true)
}

// checkCleanup panics if p is no address of Go's, and if the argument, to which arg points, or
// something that the function captures is a pointer into p's object.
func checkCleanup(p, fn unsafe.Pointer, arg any) {
	e := efaceOf(&arg)
	elem := (*abi.PtrType)(unsafe.Pointer(e.typ)).Elem
	isPointer := isPointerKind(elem)
	q := *(*unsafe.Pointer)(e.data)
	if isPointer && q == p {
		panic("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
	}
	base, size, ok := heap.FindObject(uintptr(p))
	if !ok {
		if heap.InHeap(uintptr(p)) || !inImage(uintptr(p)) {
			panic("runtime.AddCleanup: ptr not in allocated block")
		}
		return
	}
	shared := size <= maxTinySize && heap.PointerFree(base) // with other objects, perhaps
	if isPointer && uintptr(q)-base < size && !shared {
		panic("runtime.AddCleanup: ptr is within arg, cleanup will never run")
	}
	_, captured, ok := heap.FindObject(uintptr(fn))
	if !ok || heap.PointerFree(uintptr(fn)) {
		return
	}
	pointers := uint64(1 << 1) // of the words behind the code's address
	if captured > 2*unsafe.Sizeof(fn) {
		pointers = capturedPointers(*(*unsafe.Pointer)(fn))
	}
	for ; pointers != 0; pointers &= pointers - 1 {
		if word := *(*uintptr)(unsafe.Add(fn, 8*bits.TrailingZeros64(pointers))); word-base < size {
			panic("runtime.AddCleanup: cleanup function closes over ptr, cleanup will never run")
		}
	}
}

// captures describes the closure objects of a function literal that could be a cleanup
// (internal/lower/captures.go). The linker keeps the entries of literals that the program has, and
// adds an empty one.
type captures struct {
	code     unsafe.Pointer
	pointers uint64 // by bits, which words of the object are pointers
}

//go:linkname capturesStart __start_loam_captures
var capturesStart captures

//go:linkname capturesStop __stop_loam_captures
var capturesStop captures

// capturedPointers says which words are pointers in closure objects of the literal with this code;
// none if it is not known.
func capturedPointers(code unsafe.Pointer) uint64 {
	start := unsafe.Pointer(&capturesStart)
	n := (uintptr(unsafe.Pointer(&capturesStop)) - uintptr(start)) / unsafe.Sizeof(captures{})
	for _, c := range unsafe.Slice((*captures)(start), n) {
		if c.code == code {
			return c.pointers
		}
	}
	return 0
}

func isPointerKind(t *abi.Type) bool {
	k := t.Kind()
	return k == abi.Pointer || k == abi.UnsafePointer
}

func addCleanup(p, fn unsafe.Pointer, info heap.FinalizerInfo) Cleanup {
	for cleaners.n.Load() == 0 {
		cleaners.createGs(0)
	}
	id := heap.AddCleanup(p, fn, info)
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

// A cleaner is a goroutine that calls cleanups.
type cleaner struct {
	caller
	next *cleaner // the one started before
}

// A cleanupQueue has the goroutines that call cleanups.
type cleanupQueue struct {
	n    atomic.Int32            // started
	list atomic.Pointer[cleaner] // those that have begun; never shorter
}

var cleaners cleanupQueue

// createGs starts a goroutine if there are n. Tracebacks say so.
//
//go:noinline
func (q *cleanupQueue) createGs(n int32) {
	if q.n.CompareAndSwap(n, n+1) {
		sched.NewSystem(runCleanups)
	}
}

// moreCleaners sees to it that a goroutine looks at the cleanups that wait: one that sleeps, which
// does the same once it has one in hand, or if all are busy a new one, unless there are enough. Any
// stack, with a P.
func moreCleaners() {
	for c := cleaners.list.Load(); c != nil; c = c.next {
		if c.wake() {
			return
		}
	}
	if n := cleaners.n.Load(); n > 0 && n < sched.NumP()/4 {
		cleaners.createGs(n)
	}
}

// runCleanups is such a goroutine.
func runCleanups() {
	c := &cleaner{caller: caller{self: sched.CurrentG()}}
	for {
		c.next = cleaners.list.Load()
		if cleaners.list.CompareAndSwap(c.next, c) {
			break
		}
	}
	for {
		c.running.Store(true)
		f, ok := heap.NextCleanup()
		if !ok {
			c.running.Store(false)
			sched.Park(parkCleaner, unsafe.Pointer(c), sched.WaitCleanup)
			continue
		}
		if sched.NumP() >= 8 && heap.CleanupsWaiting() {
			moreCleaners()
		}
		c.self.Finalizer = true
		if race.Enabled {
			sched.RaceKnows()
		}
		callCleanup(&f)
		c.self.Finalizer = false
	}
}

// callCleanup makes one call.
func callCleanup(f *heap.Finalizer) {
	fn := f.Fn
	f.Fn = nil
	(*(*func())(unsafe.Pointer(&fn)))()
}

func parkCleaner(c unsafe.Pointer) bool { return (*cleaner)(c).park(heap.CleanupsWaiting) }

// unique_blockUntilEmptyCleanupQueue waits for the queued cleanups to be made; tests of package
// unique use it.
//
//go:linkname unique_blockUntilEmptyCleanupQueue unique.runtime_blockUntilEmptyCleanupQueue
func unique_blockUntilEmptyCleanupQueue(timeout int64) bool {
	return blockUntilEmptyCleanupQueue(timeout)
}

//go:linkname sync_test_blockUntilEmptyCleanupQueue sync_test.runtime_blockUntilEmptyCleanupQueue
func sync_test_blockUntilEmptyCleanupQueue(timeout int64) bool {
	return blockUntilEmptyCleanupQueue(timeout)
}

// blockUntilEmptyCleanupQueue waits until no cleanup is queued or running, for at most timeout ns.
func blockUntilEmptyCleanupQueue(timeout int64) bool { return waitUntil(timeout, cleanupsDone) }

// cleanupsDone reports whether no cleanup is queued or running. The goroutine that takes the last
// one off the queue is on the list, and running, before that.
func cleanupsDone() bool {
	waiting := heap.CleanupsWaiting()
	busy, _ := busyCleaners()
	return !waiting && busy == 0
}

// cleanupsBlock reports whether cleanups that are queued or running have to wait: those who make
// calls are in calls that wait for something, and so is everyone who could make one if more are
// queued.
func cleanupsBlock() bool {
	waiting := heap.CleanupsWaiting()
	busy, blocked := busyCleaners()
	return blocked != 0 && blocked == busy && (!waiting || blocked == cleaners.n.Load())
}

// busyCleaners counts the goroutines that have a cleanup in hand, and those of them in a call that
// waits for something.
func busyCleaners() (busy, blocked int32) {
	for c := cleaners.list.Load(); c != nil; c = c.next {
		if !c.running.Load() {
			continue
		}
		busy++
		if c.blocks() {
			blocked++
		}
	}
	return busy, blocked
}
