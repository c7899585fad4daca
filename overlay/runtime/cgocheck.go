package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
	"unsafe"
)

// The rules for pointers that are passed to C (GODEBUG=cgocheck=1, the default): C may get the
// address of Go memory only if that holds no address of Go memory that is not pinned.

// A cgoRule says whose value is looked at: an argument's, or, by the place in the function that C
// has called, a result's.
type cgoRule struct{ result uintptr }

// broken panics because of a value of that kind.
func (r cgoRule) broken(kind abi.Kind) {
	name := "pointer"
	switch kind {
	case abi.Chan:
		name = "channel"
	case abi.Func:
		name = "function"
	case abi.UnsafePointer:
		name = "unsafe pointer"
	case abi.Interface, abi.Map, abi.Slice, abi.String, abi.Struct:
		name = kind.String()
	}
	if r.result == 0 {
		panic(errorString("argument of cgo function has Go pointer to unpinned Go " + name))
	}
	f, _ := CallersFrames([]uintptr{r.result}).Next()
	function := f.Function
	if n := len("_cgoexp_0123456789ab_"); len(function) > n {
		function = function[n:]
	}
	panic(errorString(f.File + ":" + itoa(int64(f.Line)) + ": result of Go function " + function +
		" called from cgo is unpinned Go " + name + " or points to unpinned Go " + name))
}

// cgoCheckOff is GODEBUG=cgocheck=0.
var cgoCheckOff bool

// cgoCheckPointer panics if ptr must not be passed to C. Where ptr is the address of an element of
// what arg is, or points to, only that matters; arg is true if it is the address of a field.
func cgoCheckPointer(ptr any, arg any) {
	if cgoCheckOff {
		return
	}
	e := efaceOf(&ptr)
	if e.typ == nil {
		return
	}
	t := &e.typ.Type
	a := efaceOf(&arg)
	if a.typ == nil || !isPointerKind(t) {
		checkPassed(t, e.data, !t.IsDirectIface(), true, cgoRule{})
		return
	}
	p := e.data
	if !t.IsDirectIface() {
		p = *(*unsafe.Pointer)(p)
	}
	if p == nil || !isGoPointer(p) {
		return
	}
	at := &a.typ.Type
	switch at.Kind() {
	case abi.Bool:
		if t.Kind() == abi.Pointer {
			checkPassed(t.Elem(), p, true, false, cgoRule{})
		}
	case abi.Slice:
		checkPassed(at, a.data, true, true, cgoRule{})
	case abi.Array:
		checkPassed(at, a.data, !at.IsDirectIface(), false, cgoRule{})
	case abi.Pointer: // to an array
		p := a.data
		if !at.IsDirectIface() {
			p = *(*unsafe.Pointer)(p)
		}
		if p != nil && at.Elem().Kind() == abi.Array {
			checkPassed(at.Elem(), p, true, false, cgoRule{})
		}
	default:
		throw("cgo: the base of a pointer is of a kind that has no elements")
	}
}

// cgoCheckResult panics if a Go function that C has called must not return val.
func cgoCheckResult(val any) {
	if cgoCheckOff {
		return
	}
	if e := efaceOf(&val); e.typ != nil {
		checkPassed(&e.typ.Type, e.data, !e.typ.IsDirectIface(), false, cgoRule{sys.CallerPC()})
	}
}

// checkPassed looks at a value of type t: at p, or p itself unless indirect. top is set as long as
// what is pointed to may be Go's.
func checkPassed(t *abi.Type, p unsafe.Pointer, indirect, top bool, rule cgoRule) {
	if t.PtrBytes == 0 || p == nil {
		return
	}
	refuse := func(q unsafe.Pointer) bool {
		if q == nil || !isGoPointer(q) {
			return false
		}
		if !top && !isPinned(q) {
			rule.broken(t.Kind())
		}
		return true
	}
	word := p
	if indirect {
		word = *(*unsafe.Pointer)(p)
	}
	switch t.Kind() {
	case abi.Array:
		at := (*abi.ArrayType)(unsafe.Pointer(t))
		if !indirect {
			checkPassed(at.Elem, p, !at.Elem.IsDirectIface(), top, rule)
			return
		}
		for i := range at.Len {
			checkPassed(at.Elem, add(p, i*at.Elem.Size_), true, top, rule)
		}
	case abi.Chan, abi.Map:
		if word != nil {
			rule.broken(t.Kind()) // always in Go's memory, and full of pointers
		}
	case abi.Func:
		if word != nil && isGoPointer(word) && !inImage(uintptr(word)) {
			rule.broken(t.Kind())
		}
	case abi.Interface:
		if word == nil {
			return
		}
		dynamic := (*abi.Type)(word)
		if t.NumMethod() > 0 {
			dynamic = (*abi.ITab)(word).Type
		}
		data := *(*unsafe.Pointer)(add(p, unsafe.Sizeof(p)))
		if refuse(data) {
			checkPassed(dynamic, data, !dynamic.IsDirectIface(), false, rule)
		}
	case abi.Slice:
		s := (*struct {
			data     unsafe.Pointer
			len, cap int
		})(p)
		elem := t.Elem()
		if !refuse(s.data) || elem.PtrBytes == 0 {
			return
		}
		for i := range s.cap {
			checkPassed(elem, add(s.data, uintptr(i)*elem.Size_), true, false, rule)
		}
	case abi.String:
		refuse(word)
	case abi.Struct:
		st := (*abi.StructType)(unsafe.Pointer(t))
		for _, f := range st.Fields {
			if f.Typ.PtrBytes != 0 {
				checkPassed(f.Typ, add(p, f.Offset), indirect, top, rule)
			}
		}
	case abi.Pointer, abi.UnsafePointer:
		if refuse(word) {
			checkObject(word, rule)
		}
	}
}

// checkObject looks at all words of the object that p points into.
func checkObject(p unsafe.Pointer, rule cgoRule) {
	base, size, ok := heap.FindObject(uintptr(p))
	if !ok || heap.PointerFree(base) {
		return
	}
	for i := uintptr(0); i < size; i += unsafe.Sizeof(p) {
		if q := *(*uintptr)(ptr(base + i)); heap.InHeap(q) && !isPinned(ptr(q)) {
			rule.broken(abi.Pointer)
		}
	}
}

// isGoPointer reports whether p is an address in Go's memory.
func isGoPointer(p unsafe.Pointer) bool {
	at := uintptr(p)
	if heap.InHeap(at) || inImage(at) {
		return true
	}
	s := (*stack.Segment)(sched.CurrentG().Segment)
	return s.Lo <= at && at < s.Hi
}

// pinned counts the Pinners that hold an object, by its address, in a program with C.
var pinned struct {
	mutex
	counts map[uintptr]int
}

// notePinned changes the count of the object that p points into.
func notePinned(p unsafe.Pointer, by int) {
	if !sys.HasC() {
		return
	}
	base, _, ok := heap.FindObject(uintptr(p))
	if !ok {
		return
	}
	pinned.Lock()
	defer pinned.Unlock()
	if pinned.counts == nil {
		pinned.counts = map[uintptr]int{}
	}
	if pinned.counts[base] += by; pinned.counts[base] == 0 {
		delete(pinned.counts, base)
	}
}

func isPinned(p unsafe.Pointer) bool {
	if !heap.InHeap(uintptr(p)) {
		return inImage(uintptr(p)) // what is not in the heap stays
	}
	base, _, ok := heap.FindObject(uintptr(p))
	if !ok {
		return false
	}
	pinned.Lock()
	defer pinned.Unlock()
	return pinned.counts[base] > 0
}
