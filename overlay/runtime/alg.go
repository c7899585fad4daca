package runtime

import (
	"internal/abi"
	"loam/rt/hash"
	"unsafe"
)

// Hash functions by the names that type descriptors and well-known modules know; rt/hash has the
// algorithm.

//loam:inline
func memhash(p unsafe.Pointer, h, size uintptr) uintptr { return hash.Bytes(p, h, size) }

func memhash32(p unsafe.Pointer, h uintptr) uintptr { return hash.Word32(*(*uint32)(p), h) }

func memhash64(p unsafe.Pointer, h uintptr) uintptr { return hash.Word64(*(*uint64)(p), h) }

func strhash(p unsafe.Pointer, h uintptr) uintptr {
	s := *(*string)(p)
	return memhash(unsafe.Pointer(unsafe.StringData(s)), h, uintptr(len(s)))
}

// A NaN differs from itself: giving each one a random hash keeps a map full of them from
// becoming one long chain. The two zeros are equal and must hash alike.

func f32hash(p unsafe.Pointer, h uintptr) uintptr {
	switch f := *(*float32)(p); {
	case f == 0:
		return uintptr(hash.Fold(uint64(h)^hash.Keys[0], hash.Keys[3]))
	case f != f:
		return uintptr(hash.Fold(uint64(h)^rand(), hash.Keys[3]))
	}
	return memhash32(p, h)
}

func f64hash(p unsafe.Pointer, h uintptr) uintptr {
	switch f := *(*float64)(p); {
	case f == 0:
		return uintptr(hash.Fold(uint64(h)^hash.Keys[0], hash.Keys[3]))
	case f != f:
		return uintptr(hash.Fold(uint64(h)^rand(), hash.Keys[3]))
	}
	return memhash64(p, h)
}

func c64hash(p unsafe.Pointer, h uintptr) uintptr  { return f32hash(add(p, 4), f32hash(p, h)) }
func c128hash(p unsafe.Pointer, h uintptr) uintptr { return f64hash(add(p, 8), f64hash(p, h)) }

// interhash hashes a non-empty interface at p, nilinterhash an empty one. They panic if the
// dynamic type cannot be compared.

func interhash(p unsafe.Pointer, h uintptr) uintptr {
	i := (*abi.NonEmptyInterface)(p)
	if i.ITab == nil {
		return h
	}
	return dynamicHash(i.ITab.Type, &i.Data, h)
}

func nilinterhash(p unsafe.Pointer, h uintptr) uintptr {
	i := (*abi.EmptyInterface)(p)
	if i.Type == nil {
		return h
	}
	return dynamicHash(i.Type, &i.Data, h)
}

func dynamicHash(t *abi.Type, word *unsafe.Pointer, h uintptr) uintptr {
	if t.Equal == nil {
		// Checked here and not only in typehash, so that the message names the whole type
		// and not the slice inside it.
		panicunhashable(t)
	}
	p := *word
	if t.IsDirectIface() {
		p = unsafe.Pointer(word)
	}
	return uintptr(hash.Fold(uint64(typehash(t, p, h^uintptr(hash.Keys[2]))), hash.Keys[3]))
}

// typehash hashes the value of type t at p. The compiler's own hash functions of map keys must
// agree with it wherever both can see the same key: reflect.MapOf uses typehash, compiled code does
// not, but a map keeps the hash function that it was made with, so only equality classes matter.
func typehash(t *abi.Type, p unsafe.Pointer, h uintptr) uintptr {
	switch kind := t.Kind(); {
	case t.TFlag&abi.TFlagRegularMemory != 0:
		return wordsHash(p, h, t.Size_)
	case t.Equal == nil && kind != abi.Array && kind != abi.Struct:
		// of those two the message names the part
		panicunhashable(t)
	case kind == abi.Array:
		elem, end := t.Elem(), add(p, t.Size_)
		for ; p != end; p = add(p, elem.Size_) {
			h = typehash(elem, p, h)
		}
		return h
	case kind == abi.Struct:
		for _, f := range (*abi.StructType)(unsafe.Pointer(t)).Fields {
			if !f.Name.IsBlank() {
				h = typehash(f.Typ, add(p, f.Offset), h)
			}
		}
		return h
	case kind == abi.Interface && t.NumMethod() == 0:
		return nilinterhash(p, h)
	case kind == abi.Interface:
		return interhash(p, h)
	case hashOfKind[kind] != nil:
		return hashOfKind[kind](p, h)
	}
	// A type made by reflect whose regular-memory flag is not set: bool, integers, pointers, channels.
	return wordsHash(p, h, t.Size_)
}

// hashOfKind has the hash functions of kinds of which equal values may differ in memory.
var hashOfKind = [32]func(unsafe.Pointer, uintptr) uintptr{
	abi.Float32: f32hash, abi.Float64: f64hash, abi.Complex64: c64hash, abi.Complex128: c128hash,
	abi.String: strhash,
}

// wordsHash hashes memory as compiled code does: one or half a word has a function of its own.
func wordsHash(p unsafe.Pointer, h, size uintptr) uintptr {
	switch size {
	case 4:
		return memhash32(p, h)
	case 8:
		return memhash64(p, h)
	}
	return memhash(p, h, size)
}

// efaceeq compares the data words of two interface values of the same dynamic type t. It panics
// if t cannot be compared.
func efaceeq(t *abi.Type, x, y unsafe.Pointer) bool {
	if t == nil {
		return true
	}
	if t.Equal == nil {
		panic(errorString("comparing uncomparable type " + toRType(t).string()))
	}
	if t.IsDirectIface() {
		return x == y
	}
	return t.Equal(x, y)
}
