package maps

import (
	"internal/abi"
	"internal/race"
	"loam/rt/hash"
	"unsafe"
)

// What compiled code calls to look for a key of one or half a word, or for a string. The functions
// find most keys, and those of words and short strings call nothing, so they save few registers:
// the form tells the type's hash function, which is part of them. What they do not know is left to
// upstream's functions, which overlay.txt renames to search: keys that are not where they usually
// are, maps that someone else writes to, and race detection.

// shortString is the length up to which the bytes of a string are hash.Words.
const shortString = 16

// absent is what a search for a key that a map does not have finds.
func absent() unsafe.Pointer { return unsafe.Pointer(&zeroVal[0]) }

// first returns the first group of m where a key with that hash can be.
//
//loam:inline
func (m *Map) first(typ *abi.MapType, h uintptr) groupReference {
	if m.dirLen == 0 {
		return groupReference{data: m.dirPtr}
	}
	t := m.directoryAt(m.directoryIndex(h))
	return t.groups.group(typ, uint64(h1(h))&t.groups.lengthMask)
}

// only reports whether a key that the group of m does not have is nowhere in the map.
//
//loam:inline
func (m *Map) only(g groupReference) bool { return m.dirLen == 0 || g.ctrls().matchEmpty() != 0 }

//go:linkname runtime_mapaccess2_faststr runtime.mapaccess2_faststr
func runtime_mapaccess2_faststr(typ *abi.MapType, m *Map, key string) (unsafe.Pointer, bool) {
	n := uintptr(len(key))
	if race.Enabled || m == nil || m.writing != 0 {
		return searchStr(typ, m, key)
	}
	if m.used == 0 {
		return absent(), false
	}
	if n > shortString {
		return accessLong(typ, m, key)
	}
	a, b := hash.Words(unsafe.Pointer(unsafe.StringData(key)), n)
	h := hash.OfWords(a, b, m.seed, n)
	g := m.first(typ, h)
	match := g.ctrls().matchH2(h2(h))
	if match == 0 && m.only(g) {
		return absent(), false
	}
	if match != 0 {
		i := match.first()
		if s := *(*string)(g.key(typ, i)); uintptr(len(s)) == n {
			if c, d := hash.Words(unsafe.Pointer(unsafe.StringData(s)), n); c == a && d == b {
				return g.elem(typ, i), true
			}
		}
	}
	return searchStr(typ, m, key)
}

// accessLong is the access of a string of more than shortString bytes. Where a small map may do
// without the hash of a very long one, that is left to search.
//
//go:noinline
func accessLong(typ *abi.MapType, m *Map, key string) (unsafe.Pointer, bool) {
	if m.dirLen == 0 && len(key) > 64 {
		return searchStr(typ, m, key)
	}
	h := hash.Long(unsafe.Pointer(unsafe.StringData(key)), m.seed, uintptr(len(key)))
	g := m.first(typ, h)
	match := g.ctrls().matchH2(h2(h))
	if match == 0 && m.only(g) {
		return absent(), false
	}
	if match != 0 {
		if i := match.first(); *(*string)(g.key(typ, i)) == key {
			return g.elem(typ, i), true
		}
	}
	return searchStr(typ, m, key)
}

//go:linkname runtime_mapaccess2_fast64 runtime.mapaccess2_fast64
func runtime_mapaccess2_fast64(typ *abi.MapType, m *Map, key uint64) (unsafe.Pointer, bool) {
	if elem, found, sure := accessWord(typ, m, key); sure {
		return elem, found
	}
	return search64(typ, m, key)
}

//go:linkname runtime_mapaccess2_fast32 runtime.mapaccess2_fast32
func runtime_mapaccess2_fast32(typ *abi.MapType, m *Map, key uint32) (unsafe.Pointer, bool) {
	if elem, found, sure := accessWord(typ, m, key); sure {
		return elem, found
	}
	return search32(typ, m, key)
}

// accessWord looks for a key of one or half a word where it usually is, and tells whether that was
// all there is to look at.
//
//loam:inline
func accessWord[K uint32 | uint64](typ *abi.MapType, m *Map, key K) (elem unsafe.Pointer, found, sure bool) {
	if race.Enabled || m == nil || m.writing != 0 {
		return nil, false, false
	}
	if m.used == 0 {
		return absent(), false, true
	}
	h := wordHash(key, m.seed)
	g := m.first(typ, h)
	for match := g.ctrls().matchH2(h2(h)); match != 0; match = match.removeFirst() {
		if i := match.first(); *(*K)(g.key(typ, i)) == key {
			return g.elem(typ, i), true, true
		}
	}
	return absent(), false, m.only(g)
}

// wordHash is the hash of a key of one or half a word.
//
//loam:inline
func wordHash[K uint32 | uint64](key K, seed uintptr) uintptr {
	if unsafe.Sizeof(key) == 8 {
		return hash.Word64(uint64(key), seed)
	}
	return hash.Word32(uint32(key), seed)
}

// stringHash is the hash of a string.
//
//loam:inline
func stringHash(key string, seed uintptr) uintptr {
	n, p := uintptr(len(key)), unsafe.Pointer(unsafe.StringData(key))
	if n > shortString {
		return hash.Long(p, seed, n)
	}
	a, b := hash.Words(p, n)
	return hash.OfWords(a, b, seed, n)
}
