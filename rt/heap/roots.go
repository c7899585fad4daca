package heap

import (
	"sync/atomic"
	"unsafe"
)

// Roots are collected into a list of address ranges first, then claimed by the
// workers one by one. The list lives outside the heap and keeps its memory.

// rootRange is one piece of work. stack: words one past an object's end count.
type rootRange struct {
	lo, hi uintptr
	stack  bool
}

var roots struct {
	list    uintptr // array of rootRange
	n, cap  uintptr
	claimed uint64 // atomic

	stackBytes, globalBytes uint64
}

// addRoot appends [lo, hi), cut into chunks.
func addRoot(lo, hi uintptr, stack bool) {
	if !stack {
		lo, hi = (lo+7)&^7, hi&^7
	}
	for lo < hi {
		end := min(hi, lo+chunkBytes)
		if roots.n == roots.cap {
			growRoots()
		}
		*rootAt(roots.n) = rootRange{lo, end, stack}
		roots.n++
		lo = end
	}
}

func rootAt(i uintptr) *rootRange {
	return (*rootRange)(unsafe.Pointer(roots.list + i*unsafe.Sizeof(rootRange{})))
}

func growRoots() {
	size := unsafe.Sizeof(rootRange{})
	bytes := max(roots.cap*2*size, 64<<10)
	p := osMap(bytes)
	if p == 0 {
		throw("runtime: out of memory: list of roots")
	}
	if roots.list != 0 {
		memmove(unsafe.Pointer(p), unsafe.Pointer(roots.list), roots.n*size)
		osUnmap(roots.list, roots.cap*size)
	}
	roots.list, roots.cap = p, bytes/size
}

// gatherRoots fills the list. World stopped.
func gatherRoots() {
	startRoots()
	addGlobals()
	hooks.stacks.ForEach(addStack)
}

func startRoots() {
	roots.n, roots.claimed = 0, 0
	roots.stackBytes, roots.globalBytes = 0, 0
}

// rootsDone reports whether all ranges of the list were claimed.
func rootsDone() bool { return atomic.LoadUint64(&roots.claimed) >= uint64(roots.n) }

func addGlobals() {
	if lo, hi := dataRange(); lo < hi {
		addGlobal(lo, hi)
	}
	if lo, hi := bssRange(); lo < hi {
		addGlobal(lo, hi)
	}
	forPersistentRoots(addGlobal)
}

func addGlobal(lo, hi uintptr) {
	roots.globalBytes += uint64(hi - lo)
	addRoot(lo, hi, false)
}

func addStack(lo, hi uintptr) {
	roots.stackBytes += uint64(hi - lo)
	addRoot(lo, hi, true)
}

// scanRoot claims and scans one root range; false if none is left.
func (w *worker) scanRoot() bool {
	if atomic.LoadUint64(&roots.claimed) >= uint64(roots.n) {
		return false
	}
	i := atomic.AddUint64(&roots.claimed, 1) - 1
	if i >= uint64(roots.n) {
		return false
	}
	r := rootAt(uintptr(i))
	if r.stack {
		w.scanStack(r.lo, r.hi)
	} else {
		w.scanWords(r.lo, r.hi)
	}
	return true
}
