package maps

import (
	"internal/abi"
	"unsafe"
)

// clearMoved clears an element of a map's first group, once a table has it. That group may be part
// of the frame or of the variable that has the map, and would keep what the element leads to as
// long as the map is there. The key stays, and its element, too, if it does not equal itself: a
// loop over the map that has begun before finds the others' elements by their keys
// (Iter.grownKeyElem).
func clearMoved(typ *abi.MapType, g groupReference, i uintptr, key unsafe.Pointer) {
	switch {
	case !typ.Elem.Pointers() || !typ.Key.Equal(key, key):
	case typ.IndirectElem():
		*(*unsafe.Pointer)(g.elem(typ, i)) = nil
	default:
		typedmemclr(typ.Elem, g.elem(typ, i))
	}
}
