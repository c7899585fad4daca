package lower

import (
	"fmt"
	"go/types"

	"loam/internal/ir"
)

// Map descriptors. A map's storage is made of groups: a control word and eight slots of key and
// element, or eight keys and eight elements (internal/runtime/maps). Keys and elements of more than
// 128 bytes are stored by pointer. The group needs a descriptor so that it can be allocated and
// scanned; its types are invisible to programs, hence the symbols and names that no Go type has,
// and they have no equality functions.

// writeMap appends the fields of abi.MapType after the abi.Type.
func (m *data) writeMap(d *desc, t *types.Map) {
	group, slot := m.mapGroup(t)
	d.ptr(m.typeDesc(t.Key()))
	d.ptr(m.typeDesc(t.Elem()))
	d.ptr(m.noalgDesc(group, "map.group["+m.typeName(t.Key())+"]"+m.typeName(t.Elem()),
		"map.group["+m.typeString(t.Key())+"]"+m.typeString(t.Elem())))
	d.hash = m.hashFunc(t.Key())
	d.selfPtr(&d.hashAt)
	d.u64(uint64(m.sizes.Sizeof(group)))
	for _, word := range m.mapPlaces(group, slot) {
		d.u64(uint64(word))
	}
	var flags uint32
	if needKeyUpdate(t.Key()) {
		flags |= mapNeedKeyUpdate
	}
	if hashMightPanic(t.Key()) {
		flags |= mapHashMightPanic
	}
	if m.sizes.Sizeof(t.Key()) > mapMaxInline {
		flags |= mapIndirectKey
	}
	if m.sizes.Sizeof(t.Elem()) > mapMaxInline {
		flags |= mapIndirectElem
	}
	d.u32(flags)
	d.align(8)
}

// mapPlaces returns the words of a descriptor that say where keys and elements are in a group.
func (m *data) mapPlaces(group, slot *types.Struct) []int64 {
	offsets := m.fieldOffsets(group)
	if slot == nil {
		stride := func(i int) int64 { return m.sizes.Sizeof(group.Field(i).Type().(*types.Array).Elem()) }
		return []int64{offsets[1], stride(1), offsets[2], stride(2), 0}
	}
	stride, elem := m.sizes.Sizeof(slot), m.fieldOffsets(slot)[1]
	if !m.in.Maps.Strides {
		return []int64{stride, elem}
	}
	return []int64{offsets[1], stride, offsets[1] + elem, stride, elem}
}

// noalgDesc defines a descriptor for a type internal to maps.
func (m *data) noalgDesc(t types.Type, name, str string) ir.Value {
	name = "noalg." + name
	sym := descSym(name)
	if !m.out.Defined(sym) {
		m.emitDesc(&desc{typ: t, name: name, str: str, linkonce: true, noalg: true})
	}
	return m.ref(sym)
}

// elemDesc returns the descriptor of a part of d's type: within types internal to maps,
// structs and arrays are internal to maps too, unless they are the key or the element.
func (m *data) elemDesc(d *desc, t types.Type) ir.Value {
	if !d.noalg {
		return m.typeDesc(t)
	}
	internal := func(s *types.Struct) bool {
		return s.NumFields() == 2 && s.Field(0).Pkg() == nil && s.Field(0).Name() == "key"
	}
	switch u := t.(type) {
	case *types.Array:
		if s, ok := u.Elem().(*types.Struct); ok && internal(s) {
			return m.noalgDesc(t, m.typeName(t), m.typeString(t))
		}
	case *types.Struct:
		if internal(u) {
			return m.noalgDesc(t, m.typeName(t), m.typeString(t))
		}
	}
	return m.typeDesc(t)
}

// elemSlice returns the descriptor of []elem for an array type.
func (m *data) elemSlice(d *desc, elem types.Type) ir.Value {
	if d.noalg {
		return ir.Null // reflect cannot get hold of the array
	}
	return m.typeDesc(types.NewSlice(elem))
}

// needKeyUpdate reports whether assigning to an existing key must store the new key: equal
// keys may differ (+0 and -0, strings that keep more memory alive).
func needKeyUpdate(t types.Type) bool {
	switch u := under(t).(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex|types.IsString) != 0
	case *types.Interface:
		return true
	case *types.Array:
		return needKeyUpdate(u.Elem())
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if needKeyUpdate(u.Field(i).Type()) {
				return true
			}
		}
		return false
	case *types.Pointer, *types.Chan:
		return false
	}
	panic(fmt.Sprintf("lower: %v cannot be a map key", t))
}

// hashMightPanic reports whether a key may hold a value that is not hashable.
func hashMightPanic(t types.Type) bool {
	switch u := under(t).(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return hashMightPanic(u.Elem())
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if hashMightPanic(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}
