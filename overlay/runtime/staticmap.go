package runtime

import (
	"internal/abi"
	"internal/runtime/maps"
	"unsafe"
)

// staticMap is a package variable of map type whose initialiser the compiler found to be
// static data (internal/lower/staticmap.go). The linker keeps the entries of variables
// that the program uses, and adds an empty one.
type staticMap struct {
	variable    **maps.Map
	typ         *abi.MapType
	n, hint     int
	keys, elems unsafe.Pointer
}

//go:linkname staticMapsStart __start_loam_staticmaps
var staticMapsStart staticMap

//go:linkname staticMapsStop __stop_loam_staticmaps
var staticMapsStop staticMap

// initStaticMaps fills those variables. It must come after the hash keys are chosen and
// before any package is initialised.
func initStaticMaps() {
	start := unsafe.Pointer(&staticMapsStart)
	n := (uintptr(unsafe.Pointer(&staticMapsStop)) - uintptr(start)) / unsafe.Sizeof(staticMap{})
	for _, s := range unsafe.Slice((*staticMap)(start), n) {
		if s.variable == nil {
			continue
		}
		t := s.typ
		m := makemap(t, max(s.n, s.hint), nil)
		for i := range uintptr(s.n) {
			elem := mapassign(t, m, unsafe.Add(s.keys, i*t.Key.Size_))
			typedmemmove(t.Elem, elem, unsafe.Add(s.elems, i*t.Elem.Size_))
		}
		*s.variable = m
	}
}
