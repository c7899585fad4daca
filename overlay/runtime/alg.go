package runtime

import (
	"internal/abi"
	"math/bits"
	"unsafe"
)

// Hash functions. memhash multiplies 64-bit halves of the data into 128 bits and folds the
// product (the construction of wyhash and rapidhash, by Wang Yi and Nicolas De Carli); the
// keys are random in each process, so that collisions cannot be prepared. Speed matters more than strength:
// short keys, the usual ones, take two multiplications.

// hashKey seeds every hash of this process. Odd, so that a multiplication never loses bits to a
// zero operand; set by initHash before the first map exists.
var hashKey = [4]uint64{0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0x8CB92BA72F3D8DD7, 0xAEF17502108EF2D9}

func initHash(random func() uint64) {
	for i := range hashKey {
		hashKey[i] = random() | 1
	}
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func load64(p unsafe.Pointer) uint64 { return *(*uint64)(p) }
func load32(p unsafe.Pointer) uint64 { return uint64(*(*uint32)(p)) }

// memhash hashes size bytes at p, starting from h.
//
//loam:inline
func memhash(p unsafe.Pointer, h, size uintptr) uintptr {
	if size > 16 {
		return hashLong(p, h, size)
	}
	return hashShort(p, h, size)
}

// hashShort hashes up to 16 bytes.
//
//loam:inline
func hashShort(p unsafe.Pointer, h, size uintptr) uintptr {
	seed := uint64(h) ^ hashKey[0]
	var a, b uint64
	switch {
	case size > 8:
		// Two loads that overlap unless size is 16.
		a, b = load64(p), load64(add(p, size-8))
	case size >= 4:
		a, b = load32(p), load32(add(p, size-4))
	case size != 0:
		// First, middle and last byte: together all of them.
		a = uint64(*(*byte)(p))<<16 | uint64(*(*byte)(add(p, size>>1)))<<8 | uint64(*(*byte)(add(p, size-1)))
	default:
		return uintptr(fold(seed, hashKey[1]))
	}
	return lastFold(a, b, seed, size)
}

// hashLong hashes more than 16 bytes.
//
//go:noinline
func hashLong(p unsafe.Pointer, h, size uintptr) uintptr {
	seed := uint64(h) ^ hashKey[0]
	end := add(p, size)
	if size > 48 {
		// Three independent chains, so that the multiplications overlap.
		s1, s2 := seed, seed
		for n := size; n > 48; n -= 48 {
			seed = fold(load64(p)^hashKey[1], load64(add(p, 8))^seed)
			s1 = fold(load64(add(p, 16))^hashKey[2], load64(add(p, 24))^s1)
			s2 = fold(load64(add(p, 32))^hashKey[3], load64(add(p, 40))^s2)
			p = add(p, 48)
		}
		seed ^= s1 ^ s2
	}
	for uintptr(end)-uintptr(p) > 16 {
		seed = fold(load64(p)^hashKey[1], load64(add(p, 8))^seed)
		p = add(p, 16)
	}
	// The last 16 bytes, some of which may have been seen.
	p = unsafe.Pointer(uintptr(end) - 16)
	return lastFold(load64(p), load64(add(p, 8)), seed, size)
}

// lastFold is a hash's last step.
func lastFold(a, b, seed uint64, size uintptr) uintptr {
	return uintptr(fold(hashKey[1]^uint64(size), fold(a^hashKey[2], b^seed)))
}

func memhash32(p unsafe.Pointer, h uintptr) uintptr {
	return uintptr(fold(hashKey[1]^4, fold(load32(p)^hashKey[2], load32(p)^uint64(h)^hashKey[0])))
}

func memhash64(p unsafe.Pointer, h uintptr) uintptr {
	x := load64(p)
	return uintptr(fold(hashKey[1]^8, fold(x^hashKey[2], bits.RotateLeft64(x, 32)^uint64(h)^hashKey[0])))
}

func strhash(p unsafe.Pointer, h uintptr) uintptr {
	s := *(*string)(p)
	return memhash(unsafe.Pointer(unsafe.StringData(s)), h, uintptr(len(s)))
}

// A NaN differs from itself: giving each one a random hash keeps a map full of them from
// becoming one long chain. The two zeros are equal and must hash alike.

func f32hash(p unsafe.Pointer, h uintptr) uintptr {
	switch f := *(*float32)(p); {
	case f == 0:
		return uintptr(fold(uint64(h)^hashKey[0], hashKey[3]))
	case f != f:
		return uintptr(fold(uint64(h)^rand(), hashKey[3]))
	}
	return memhash32(p, h)
}

func f64hash(p unsafe.Pointer, h uintptr) uintptr {
	switch f := *(*float64)(p); {
	case f == 0:
		return uintptr(fold(uint64(h)^hashKey[0], hashKey[3]))
	case f != f:
		return uintptr(fold(uint64(h)^rand(), hashKey[3]))
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
	return uintptr(fold(uint64(typehash(t, p, h^uintptr(hashKey[2]))), hashKey[3]))
}

// typehash hashes the value of type t at p. The compiler's own hash functions of map keys must agree with
// it wherever both can see the same key: reflect.MapOf uses typehash, compiled code does not, but a
// map keeps the hash function that it was made with, so only equality classes matter.
func typehash(t *abi.Type, p unsafe.Pointer, h uintptr) uintptr {
	switch kind := t.Kind(); {
	case t.TFlag&abi.TFlagRegularMemory != 0:
		return wordsHash(p, h, t.Size_)
	case t.Equal == nil && kind != abi.Array && kind != abi.Struct: // of those two the message names the part
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

func ifaceeq(tab *abi.ITab, x, y unsafe.Pointer) bool {
	if tab == nil {
		return true
	}
	return efaceeq(tab.Type, x, y)
}

// Comparison functions by address: compiled code refers to them in type descriptors.

func memequal0(p, q unsafe.Pointer) bool   { return true }
func memequal8(p, q unsafe.Pointer) bool   { return *(*int8)(p) == *(*int8)(q) }
func memequal16(p, q unsafe.Pointer) bool  { return *(*int16)(p) == *(*int16)(q) }
func memequal32(p, q unsafe.Pointer) bool  { return *(*int32)(p) == *(*int32)(q) }
func memequal64(p, q unsafe.Pointer) bool  { return *(*int64)(p) == *(*int64)(q) }
func memequal128(p, q unsafe.Pointer) bool { return *(*[2]int64)(p) == *(*[2]int64)(q) }
func f32equal(p, q unsafe.Pointer) bool    { return *(*float32)(p) == *(*float32)(q) }
func f64equal(p, q unsafe.Pointer) bool    { return *(*float64)(p) == *(*float64)(q) }
func c64equal(p, q unsafe.Pointer) bool    { return *(*complex64)(p) == *(*complex64)(q) }
func c128equal(p, q unsafe.Pointer) bool   { return *(*complex128)(p) == *(*complex128)(q) }
func strequal(p, q unsafe.Pointer) bool    { return *(*string)(p) == *(*string)(q) }

func interequal(p, q unsafe.Pointer) bool {
	x, y := (*abi.NonEmptyInterface)(p), (*abi.NonEmptyInterface)(q)
	if x.ITab == nil || y.ITab == nil {
		return x.ITab == y.ITab
	}
	// Itabs are not unique (static ones and ours): the types decide.
	return x.ITab.Type == y.ITab.Type && efaceeq(x.ITab.Type, x.Data, y.Data)
}

func nilinterequal(p, q unsafe.Pointer) bool {
	x, y := (*abi.EmptyInterface)(p), (*abi.EmptyInterface)(q)
	return x.Type == y.Type && efaceeq(x.Type, x.Data, y.Data)
}
