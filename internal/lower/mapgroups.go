package lower

import "go/types"

const (
	mapSlots     = 8
	mapMaxInline = 128

	mapNeedKeyUpdate  = 1 << 0
	mapHashMightPanic = 1 << 1
	mapIndirectKey    = 1 << 2
	mapIndirectElem   = 1 << 3
)

// mapGroup returns the type of a map's groups, and that of their slots if the groups have such.
func (m *layouts) mapGroup(t *types.Map) (group, slot *types.Struct) {
	key, elem := t.Key(), t.Elem()
	if m.sizes.Sizeof(key) > mapMaxInline {
		key = types.NewPointer(key)
	}
	if m.sizes.Sizeof(elem) > mapMaxInline {
		elem = types.NewPointer(elem)
	}
	field := func(name string, t types.Type) *types.Var { return types.NewField(0, nil, name, t, false) }
	if m.in.Maps.Split {
		return types.NewStruct([]*types.Var{
			field("ctrl", types.Typ[types.Uint64]),
			field("keys", types.NewArray(key, mapSlots)),
			field("elems", types.NewArray(elem, mapSlots)),
		}, nil), nil
	}
	slot = types.NewStruct([]*types.Var{field("key", key), field("elem", elem)}, nil)
	group = types.NewStruct([]*types.Var{
		field("ctrl", types.Typ[types.Uint64]),
		field("slots", types.NewArray(slot, mapSlots)),
	}, nil)
	return group, slot
}
