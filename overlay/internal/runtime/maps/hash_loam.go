//go:build go1.27

package maps

import (
	"loam/rt/hash"
	"unsafe"
)

// From Go 1.27 on the package hashes strings and words by itself where it knows the type of the
// key, and by the map's function elsewhere. Both must agree, so these are the functions that
// compiled code uses.

func memHashFallback(p unsafe.Pointer, seed, size uintptr) uintptr { return hash.Bytes(p, seed, size) }
func memHash32Fallback(k uint32, seed uintptr) uintptr             { return hash.Word32(k, seed) }
func memHash64Fallback(k uint64, seed uintptr) uintptr             { return hash.Word64(k, seed) }
