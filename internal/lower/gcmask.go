package lower

import (
	"fmt"
	"go/types"
)

// Pointer masks: bit i of a type's mask tells whether word i of its values may hold a
// pointer. The mask covers the prefix of ptrBytes(t) bytes.

// maxMaskWords is the number of words above which a descriptor has no mask, but the
// address of a cell in which the run-time system may keep one that it built
// (abi.TFlagGCMaskOnDemand; the bound is internal/abi's MaxPtrmaskBytes).
const maxMaskWords = 2048 * 8

// ptrBytes returns the length of the prefix of t's values outside of which there are no
// pointers.
func (m *layouts) ptrBytes(t types.Type) int64 {
	switch u := under(t).(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.String, types.UnsafePointer:
			return 8
		}
		return 0
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature, *types.Slice:
		return 8
	case *types.Interface:
		return 16
	case *types.Array:
		if u.Len() == 0 {
			return 0
		}
		p := m.ptrBytes(u.Elem())
		if p == 0 {
			return 0
		}
		return (u.Len()-1)*m.sizes.Sizeof(u.Elem()) + p
	case *types.Struct:
		offs := m.fieldOffsets(u)
		for i := u.NumFields() - 1; i >= 0; i-- {
			if p := m.ptrBytes(u.Field(i).Type()); p > 0 {
				return offs[i] + p
			}
		}
		return 0
	}
	panic(fmt.Sprintf("lower: pointer words of %v", t))
}

// fieldOffsets returns the offsets of all fields of a struct type.
func (m *layouts) fieldOffsets(u *types.Struct) []int64 {
	if o, ok := m.offsets[u]; ok {
		return o
	}
	fields := make([]*types.Var, u.NumFields())
	for i := range fields {
		fields[i] = u.Field(i)
	}
	o := m.sizes.Offsetsof(fields)
	m.offsets[u] = o
	return o
}

// pointerMask returns t's mask, padded to whole words as readers may load words.
func (m *layouts) pointerMask(t types.Type) []byte {
	words := m.ptrBytes(t) / 8
	mask := make([]byte, (words+63)/64*8)
	m.markPointers(mask, t, 0)
	return mask
}

// markPointers sets the bits of a value of type t at byte offset off.
func (m *layouts) markPointers(mask []byte, t types.Type, off int64) {
	if m.ptrBytes(t) == 0 {
		return
	}
	set := func(off int64) { mask[off/64] |= 1 << (off / 8 % 8) }
	switch u := under(t).(type) {
	case *types.Interface:
		set(off + 8) // descriptors and itabs are never garbage
	case *types.Array:
		size := m.sizes.Sizeof(u.Elem())
		for i := int64(0); i < u.Len(); i++ {
			m.markPointers(mask, u.Elem(), off+i*size)
		}
	case *types.Struct:
		for i, o := range m.fieldOffsets(u) {
			m.markPointers(mask, u.Field(i).Type(), off+o)
		}
	default: // the first word: pointers, strings, slices, ...
		set(off)
	}
}
