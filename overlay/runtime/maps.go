package runtime

import (
	"internal/abi"
	"internal/runtime/maps"
	"loam/rt/race"
	"unsafe"
)

// Maps are upstream's internal/runtime/maps (Swiss tables), which itself provides the access,
// assignment and fast-path functions under their runtime names. Here are the rest: creation,
// deletion, iteration, and the forms that reflect uses.

// maxAlloc is the largest size of an allocation: the address space that user code has.
const maxAlloc = 1 << 47

// zeroVal is what a failed lookup's pointer points to, and where reflect finds small zero values.
var zeroVal [abi.ZeroValSize]byte

//go:linkname maps_errNilAssign internal/runtime/maps.errNilAssign
var maps_errNilAssign error = plainError("assignment to entry in nil map")

//go:linkname maps_fatal internal/runtime/maps.fatal
func maps_fatal(s string) { fatal(s) }

//go:linkname maps_typedmemmove internal/runtime/maps.typedmemmove
func maps_typedmemmove(t *abi.Type, dst, src unsafe.Pointer) { typedmemmove(t, dst, src) }

//go:linkname maps_typedmemclr internal/runtime/maps.typedmemclr
func maps_typedmemclr(t *abi.Type, p unsafe.Pointer) { typedmemclr(t, p) }

// Pushed by internal/runtime/maps.
func mapaccess1(t *abi.MapType, m *maps.Map, key unsafe.Pointer) unsafe.Pointer
func mapaccess2(t *abi.MapType, m *maps.Map, key unsafe.Pointer) (unsafe.Pointer, bool)
func mapassign(t *abi.MapType, m *maps.Map, key unsafe.Pointer) unsafe.Pointer
func mapaccess2_faststr(t *abi.MapType, m *maps.Map, key string) (unsafe.Pointer, bool)
func mapassign_faststr(t *abi.MapType, m *maps.Map, key string) unsafe.Pointer
func mapdelete_faststr(t *abi.MapType, m *maps.Map, key string)

// makemap is make(map[K]V, hint). m may be memory of the caller for the map's header.
func makemap(t *abi.MapType, hint int, m *maps.Map) *maps.Map {
	if hint < 0 {
		hint = 0
	}
	return maps.NewMap(t, uintptr(hint), m, maxAlloc)
}

// makemap_small is make(map[K]V) with no hint or one of at most a group.
func makemap_small() *maps.Map { return maps.NewEmptyMap() }

func mapdelete(t *abi.MapType, m *maps.Map, key unsafe.Pointer) {
	if race.Enabled && m != nil {
		by := race.Part(abi.FuncPCABIInternal(mapdelete))
		raceAccessBy(by, unsafe.Pointer(m), mapWrite)
		raceAccessBy(by, key, t.Key.Size_<<1)
	}
	m.Delete(t, key)
}

func mapclear(t *abi.MapType, m *maps.Map) {
	if race.Enabled && m != nil {
		raceAccessBy(race.Part(abi.FuncPCABIInternal(mapclear)), unsafe.Pointer(m), mapWrite)
	}
	m.Clear(t)
}

// What operations of a map do to the first byte of its header, for the detector of data races.
const (
	mapRead  = 1 << 1
	mapWrite = mapRead | 1
)

// mapIterStart begins a range over m: it is zeroed memory, and afterwards at the first element or
// the end.
func mapIterStart(t *abi.MapType, m *maps.Map, it *maps.Iter) {
	if race.Enabled && m != nil {
		raceAccessBy(race.Part(abi.FuncPCABIInternal(mapIterStart)), unsafe.Pointer(m), mapRead)
	}
	it.Init(t, m)
	it.Next()
}

// raceIterNext steps to the next element of a range in builds that detect races. Other builds do
// that in package maps.
func raceIterNext(it *maps.Iter) {
	raceAccessBy(race.Part(abi.FuncPCABIInternal(raceIterNext)), unsafe.Pointer(it.Map()), mapRead)
	it.Next()
}

//go:linkname mapclone maps.clone
func mapclone(m any) any {
	e := (*abi.EmptyInterface)(unsafe.Pointer(&m))
	if race.Enabled {
		racetell(e.Data, mapRead)
	}
	e.Data = unsafe.Pointer((*maps.Map)(e.Data).Clone((*abi.MapType)(unsafe.Pointer(e.Type))))
	return m
}

//go:linkname reflect_makemap reflect.makemap
func reflect_makemap(t *abi.MapType, hint int) *maps.Map {
	if t.Key.Equal == nil {
		throw("reflect.makemap: key type cannot be compared")
	}
	return makemap(t, hint, nil)
}

// raceReflect is for what reflect does to m, by its forms below: the access functions take callers
// of the run-time system for its own use of maps.
func raceReflect(m *maps.Map, what uintptr, t *abi.MapType, key unsafe.Pointer, f uintptr) {
	if m != nil {
		raceAccessBy(race.Part(f), unsafe.Pointer(m), what)
		raceAccessBy(race.Part(f), key, t.Key.Size_<<1)
	}
}

// reflect wants nil for an absent element.

//go:linkname reflect_mapaccess reflect.mapaccess
func reflect_mapaccess(t *abi.MapType, m *maps.Map, key unsafe.Pointer) unsafe.Pointer {
	if race.Enabled {
		raceReflect(m, mapRead, t, key, abi.FuncPCABIInternal(mapaccess2))
	}
	if elem, ok := mapaccess2(t, m, key); ok {
		return elem
	}
	return nil
}

//go:linkname reflect_mapaccess_faststr reflect.mapaccess_faststr
func reflect_mapaccess_faststr(t *abi.MapType, m *maps.Map, key string) unsafe.Pointer {
	if race.Enabled {
		raceReflect(m, mapRead, t, nil, abi.FuncPCABIInternal(mapaccess2_faststr))
	}
	if elem, ok := mapaccess2_faststr(t, m, key); ok {
		return elem
	}
	return nil
}

//go:linkname reflect_mapassign reflect.mapassign0
func reflect_mapassign(t *abi.MapType, m *maps.Map, key, elem unsafe.Pointer) {
	if race.Enabled {
		raceReflect(m, mapWrite, t, key, abi.FuncPCABIInternal(mapassign))
	}
	typedmemmove(t.Elem, mapassign(t, m, key), elem)
}

//go:linkname reflect_mapassign_faststr reflect.mapassign_faststr0
func reflect_mapassign_faststr(t *abi.MapType, m *maps.Map, key string, elem unsafe.Pointer) {
	if race.Enabled {
		raceReflect(m, mapWrite, t, nil, abi.FuncPCABIInternal(mapassign_faststr))
	}
	typedmemmove(t.Elem, mapassign_faststr(t, m, key), elem)
}

//go:linkname reflect_mapdelete reflect.mapdelete
func reflect_mapdelete(t *abi.MapType, m *maps.Map, key unsafe.Pointer) { mapdelete(t, m, key) }

//go:linkname reflect_mapdelete_faststr reflect.mapdelete_faststr
func reflect_mapdelete_faststr(t *abi.MapType, m *maps.Map, key string) {
	if race.Enabled {
		raceReflect(m, mapWrite, t, nil, abi.FuncPCABIInternal(mapdelete_faststr))
	}
	mapdelete_faststr(t, m, key)
}

//go:linkname reflect_mapclear reflect.mapclear
func reflect_mapclear(t *abi.MapType, m *maps.Map) { mapclear(t, m) }

//go:linkname reflect_maplen reflect.maplen
func reflect_maplen(m *maps.Map) int { return maplen(m) }

//go:linkname reflectlite_maplen internal/reflectlite.maplen
func reflectlite_maplen(m *maps.Map) int { return maplen(m) }

func maplen(m *maps.Map) int {
	if m == nil {
		return 0
	}
	if race.Enabled {
		racetell(unsafe.Pointer(m), mapRead)
	}
	return int(m.Used())
}
