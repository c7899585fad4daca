package layout

import "go/types"

// MapForm says which family of the run-time system's functions a map type is used through.
type MapForm uint8

// The forms of maps.
const (
	MapGeneral MapForm = iota // keys are given by their address
	MapFast32                 // keys of four bytes
	MapFast64                 // of eight
	MapFast64Ptr
	MapFastStr
)

// MapFormOf returns the form of a map type, given the sizes of types.
func MapFormOf(t *types.Map, sizes types.Sizes) MapForm {
	if sizes.Sizeof(t.Elem()) > 128 {
		return MapGeneral
	}
	switch k := types.Unalias(t.Key()).Underlying().(type) {
	case *types.Basic:
		switch {
		case k.Info()&types.IsString != 0:
			return MapFastStr
		case k.Info()&types.IsInteger != 0 && sizes.Sizeof(k) == 4:
			return MapFast32
		case k.Info()&types.IsInteger != 0 && sizes.Sizeof(k) == 8:
			return MapFast64
		case k.Kind() == types.UnsafePointer:
			return MapFast64Ptr
		}
	case *types.Pointer, *types.Chan:
		return MapFast64Ptr
	}
	return MapGeneral
}
