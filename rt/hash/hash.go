// Package hash has the hash functions of maps, on memory and on words. They multiply 64-bit halves
// of the data into 128 bits and fold the product (the construction of wyhash and rapidhash, by Wang
// Yi and Nicolas De Carli); the keys are random in each process, so that collisions cannot be
// prepared. Speed matters more than strength: short keys, the usual ones, take two multiplications.
//
// All that hash a map's key must come to the same value: the functions in type descriptors, package
// runtime's for values known by their types only, and those that internal/runtime/maps calls by
// itself. Bytes of four and of eight bytes is another function than Word32 and Word64: code that
// has a word as key calls the latter.
//
// All functions may be called on any stack. They neither allocate nor block.
package hash

import (
	"math/bits"
	"unsafe"
)

// Keys seed every hash of this process. Odd, so that a multiplication never loses bits to a zero
// operand. Seed sets them before the first map exists.
var Keys = [4]uint64{0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0x8CB92BA72F3D8DD7, 0xAEF17502108EF2D9}

// Seed draws the keys. It may be called once, before anything is hashed.
func Seed(random func() uint64) {
	for i := range Keys {
		Keys[i] = random() | 1
	}
}

// Fold multiplies a and b and folds the product's halves.
//
//loam:inline
func Fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func add(p unsafe.Pointer, n uintptr) unsafe.Pointer { return unsafe.Pointer(uintptr(p) + n) }
func load64(p unsafe.Pointer) uint64                 { return *(*uint64)(p) }
func load32(p unsafe.Pointer) uint64                 { return uint64(*(*uint32)(p)) }

// Bytes hashes size bytes at p, starting from h.
//
//loam:inline
func Bytes(p unsafe.Pointer, h, size uintptr) uintptr {
	if size > 16 {
		return Long(p, h, size)
	}
	return Short(p, h, size)
}

// Short hashes up to 16 bytes.
//
//loam:inline
func Short(p unsafe.Pointer, h, size uintptr) uintptr {
	a, b := Words(p, size)
	return OfWords(a, b, h, size)
}

// Words are two words that, with size, which is at most 16, tell the bytes at p from all others.
//
//loam:inline
func Words(p unsafe.Pointer, size uintptr) (a, b uint64) {
	switch {
	case size > 8:
		// Two loads that overlap unless size is 16.
		a, b = load64(p), load64(add(p, size-8))
	case size >= 4:
		a, b = load32(p), load32(add(p, size-4))
	case size != 0:
		// First, middle and last byte: together all of them.
		a = uint64(*(*byte)(p))<<16 | uint64(*(*byte)(add(p, size>>1)))<<8 | uint64(*(*byte)(add(p, size-1)))
	}
	return a, b
}

// OfWords is Short for the bytes that have these Words.
//
//loam:inline
func OfWords(a, b uint64, h, size uintptr) uintptr {
	return lastFold(a, b, uint64(h)^Keys[0], size)
}

// Long hashes more than 16 bytes.
//
//go:noinline
func Long(p unsafe.Pointer, h, size uintptr) uintptr {
	seed := uint64(h) ^ Keys[0]
	end := add(p, size)
	if size > 48 {
		// Three independent chains, so that the multiplications overlap.
		s1, s2 := seed, seed
		for n := size; n > 48; n -= 48 {
			seed = Fold(load64(p)^Keys[1], load64(add(p, 8))^seed)
			s1 = Fold(load64(add(p, 16))^Keys[2], load64(add(p, 24))^s1)
			s2 = Fold(load64(add(p, 32))^Keys[3], load64(add(p, 40))^s2)
			p = add(p, 48)
		}
		seed ^= s1 ^ s2
	}
	for uintptr(end)-uintptr(p) > 16 {
		seed = Fold(load64(p)^Keys[1], load64(add(p, 8))^seed)
		p = add(p, 16)
	}
	// The last 16 bytes, some of which may have been seen.
	p = unsafe.Pointer(uintptr(end) - 16)
	return lastFold(load64(p), load64(add(p, 8)), seed, size)
}

// lastFold is a hash's last step.
//
//loam:inline
func lastFold(a, b, seed uint64, size uintptr) uintptr {
	return uintptr(Fold(Keys[1]^uint64(size), Fold(a^Keys[2], b^seed)))
}

// Word32 hashes a word of four bytes.
//
//loam:inline
func Word32(x uint32, h uintptr) uintptr {
	return uintptr(Fold(Keys[1]^4, Fold(uint64(x)^Keys[2], uint64(x)^uint64(h)^Keys[0])))
}

// Word64 hashes a word of eight bytes.
//
//loam:inline
func Word64(x uint64, h uintptr) uintptr {
	return uintptr(Fold(Keys[1]^8, Fold(x^Keys[2], bits.RotateLeft64(x, 32)^uint64(h)^Keys[0])))
}
