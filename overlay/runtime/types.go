package runtime

import (
	"internal/abi"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Type descriptors are upstream's internal/abi structs. Offsets to names, types and code in them
// are absolute addresses in a program at a fixed address, below 2 GB. Where the program may lie
// anywhere (sys.Movable), they count from what they are in, a descriptor or a name. Descriptors
// that package reflect makes at run time refer to heap objects, whose addresses do not fit: reflect
// registers those and gets a negative number instead (reflectOffs).

// rtype adds to abi.Type what needs names resolved.
type rtype struct{ abi.Type }

func toRType(t *abi.Type) *rtype { return (*rtype)(unsafe.Pointer(t)) }

// string returns the type as reflect.Type.String prints it.
func (t *rtype) string() string {
	s := resolveName(unsafe.Pointer(t), t.Str).Name()
	if t.TFlag&abi.TFlagExtraStar != 0 {
		return s[1:]
	}
	return s
}

// pkgPath returns the import path of the package that a named type, or the unexported names of a
// struct or interface type, belong to.
func (t *rtype) pkgPath() string {
	if u := t.Uncommon(); u != nil {
		return resolveName(unsafe.Pointer(t), u.PkgPath).Name()
	}
	switch t.Kind() {
	case abi.Struct:
		return (*abi.StructType)(unsafe.Pointer(t)).PkgPath.Name()
	case abi.Interface:
		return (*abi.InterfaceType)(unsafe.Pointer(t)).PkgPath.Name()
	}
	return ""
}

// resolveOff turns an offset into an address, which is in in: a descriptor, or a name.
func resolveOff(in unsafe.Pointer, off int32) unsafe.Pointer {
	if sys.Movable && off != 0 && inImage(uintptr(in)) {
		p := unsafe.Add(in, off)
		if uintptr(p) == sys.Bias() {
			return nil // a method that the link has left out has the address 0
		}
		return p
	}
	if off >= 0 {
		return unsafe.Pointer(uintptr(off))
	}
	return reflectOffs.lookup(off)
}

func resolveName(in unsafe.Pointer, off abi.NameOff) abi.Name {
	return abi.Name{Bytes: (*byte)(resolveOff(in, int32(off)))}
}

func resolveType(in unsafe.Pointer, off abi.TypeOff) *abi.Type {
	if off == -1 {
		// The linker's mark for a method it has dropped; no type has this address.
		return nil
	}
	return (*abi.Type)(resolveOff(in, int32(off)))
}

// namePkgPath returns the import path stored in an unexported name, "" if there is none.
func namePkgPath(n abi.Name) string {
	const hasPkgPath, hasTag = 1 << 2, 1 << 1
	if n.Bytes == nil || *n.Bytes&hasPkgPath == 0 {
		return ""
	}
	i, l := n.ReadVarint(1)
	end := 1 + i + l
	if *n.Bytes&hasTag != 0 {
		i, l = n.ReadVarint(end)
		end += i + l
	}
	var off int32
	copy((*[4]byte)(unsafe.Pointer(&off))[:], (*[4]byte)(unsafe.Pointer(n.Data(end)))[:])
	return resolveName(unsafe.Pointer(n.Bytes), abi.NameOff(off)).Name()
}

// reflectOffs numbers the objects that reflect's descriptors refer to: -2, -3, ... (-1 means "no
// type"). Objects are never dropped; reflect keeps its types for ever as well. Looking one up takes
// no lock: it happens on any stack.
var reflectOffs offTable

type offTable struct {
	lock mutex // of what add writes
	ptrs atomic.Pointer[[]unsafe.Pointer]
	ids  map[unsafe.Pointer]int32
}

func (t *offTable) lookup(off int32) unsafe.Pointer {
	i := -int(off) - 2
	ptrs := t.ptrs.Load()
	if ptrs == nil || i < 0 || i >= len(*ptrs) {
		throw("runtime: type, name or text offset out of range")
	}
	return (*ptrs)[i]
}

func (t *offTable) add(p unsafe.Pointer) int32 {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.ids == nil {
		t.ids = make(map[unsafe.Pointer]int32)
	}
	id, ok := t.ids[p]
	if !ok {
		var ptrs []unsafe.Pointer
		if old := t.ptrs.Load(); old != nil {
			ptrs = *old
		}
		ptrs = append(ptrs, p) // beyond what readers of the old length look at
		t.ptrs.Store(&ptrs)
		id = -int32(len(ptrs)) - 1
		t.ids[p] = id
	}
	return id
}

//go:linkname reflect_addReflectOff reflect.addReflectOff
func reflect_addReflectOff(p unsafe.Pointer) int32 { return reflectOffs.add(p) }

//go:linkname reflect_resolveNameOff reflect.resolveNameOff
func reflect_resolveNameOff(in unsafe.Pointer, off int32) unsafe.Pointer { return resolveOff(in, off) }

//go:linkname reflect_resolveTypeOff reflect.resolveTypeOff
func reflect_resolveTypeOff(in unsafe.Pointer, off int32) unsafe.Pointer {
	return unsafe.Pointer(resolveType(in, abi.TypeOff(off)))
}

//go:linkname reflect_resolveTextOff reflect.resolveTextOff
func reflect_resolveTextOff(in unsafe.Pointer, off int32) unsafe.Pointer { return resolveOff(in, off) }

//go:linkname reflectlite_resolveNameOff internal/reflectlite.resolveNameOff
func reflectlite_resolveNameOff(in unsafe.Pointer, off int32) unsafe.Pointer {
	return resolveOff(in, off)
}

//go:linkname reflectlite_resolveTypeOff internal/reflectlite.resolveTypeOff
func reflectlite_resolveTypeOff(in unsafe.Pointer, off int32) unsafe.Pointer {
	return unsafe.Pointer(resolveType(in, abi.TypeOff(off)))
}

//go:linkname maps_typeString internal/runtime/maps.typeString
func maps_typeString(t *abi.Type) string { return toRType(t).string() }

// The linker collects pointers to the program's unnamed types in a section; these symbols are its
// ends.

//go:linkname typelinksStart __start_loam_typelinks
var typelinksStart unsafe.Pointer

//go:linkname typelinksStop __stop_loam_typelinks
var typelinksStop unsafe.Pointer

// sortedTypelinks holds where those types are in the image, in the order of their strings, each
// once.
// Built at first use: most programs never ask.
var sortedTypelinks struct {
	lock  mutex
	offs  []int32
	types []*abi.Type // the same for callers that ask for pointers
}

// reflect_typelinks returns the types that reflect may find by their string: one section, and
// offsets in it, sorted by string.
//
//go:linkname reflect_typelinks reflect.typelinks
func reflect_typelinks() (sections []unsafe.Pointer, offsets [][]int32) {
	describeG = (*g)(nil)
	return []unsafe.Pointer{sys.Ptr(sys.Bias())}, [][]int32{typelinks()}
}

// reflect_compiledTypelinks is the same for package reflect from Go 1.27 on: the types themselves,
// and none of further modules.
//
//go:linkname reflect_compiledTypelinks reflect.compiledTypelinks
func reflect_compiledTypelinks() (types []*abi.Type, further [][]*abi.Type) {
	s := &sortedTypelinks
	s.lock.Lock()
	types = s.types
	s.lock.Unlock()
	if types != nil {
		return types, nil
	}
	describeG = (*g)(nil)
	offs := typelinks()
	// not under the lock, which spins; a second thread makes it in vain
	types = make([]*abi.Type, len(offs))
	for i, off := range offs {
		types[i] = linkedType(off)
	}
	s.lock.Lock()
	s.types = types
	s.lock.Unlock()
	return types, nil
}

func typelinks() []int32 {
	s := &sortedTypelinks
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.offs != nil {
		return s.offs
	}
	start := unsafe.Pointer(&typelinksStart)
	n := (uintptr(unsafe.Pointer(&typelinksStop)) - uintptr(start)) / 8
	all := unsafe.Slice((*uintptr)(start), n)
	offs := make([]int32, 0, n)
	for _, p := range all {
		if p != 0 {
			offs = append(offs, int32(p-sys.Bias()))
		}
	}
	sortTypes(offs)
	// Several modules may have listed the same descriptor.
	kept := offs[:0]
	for i, off := range offs {
		if i == 0 || off != offs[i-1] {
			kept = append(kept, off)
		}
	}
	s.offs = kept
	return kept
}

// linkedType is the type at that place in the image.
func linkedType(off int32) *abi.Type {
	return (*abi.Type)(sys.Ptr(sys.Bias() + uintptr(off)))
}

func typeLess(a, b int32) bool {
	sa, sb := toRType(linkedType(a)).string(), toRType(linkedType(b)).string()
	if sa != sb {
		return sa < sb
	}
	return a < b
}

// sortTypes is a heap sort: no recursion, no worst case, and package slices is out of reach here.
func sortTypes(offs []int32) {
	for i := len(offs)/2 - 1; i >= 0; i-- {
		siftDown(offs, i)
	}
	for n := len(offs) - 1; n > 0; n-- {
		offs[0], offs[n] = offs[n], offs[0]
		siftDown(offs[:n], 0)
	}
}

func siftDown(offs []int32, i int) {
	for {
		child := 2*i + 1
		if child >= len(offs) {
			return
		}
		if child+1 < len(offs) && typeLess(offs[child], offs[child+1]) {
			child++
		}
		if !typeLess(offs[i], offs[child]) {
			return
		}
		offs[i], offs[child] = offs[child], offs[i]
		i = child
	}
}

// reflect_adjustAIXGCDataForRuntime is what reflect of Go 1.27 calls on AIX. Code that is not
// optimised refers to it here, too.
//
//go:linkname reflect_adjustAIXGCDataForRuntime reflect.adjustAIXGCDataForRuntime
func reflect_adjustAIXGCDataForRuntime(mask *byte) *byte { return mask }
