//go:build !loam

package symtab

import "unsafe"

// mapMemory is ordinary memory, kept for ever, when the tests run under the official toolchain.
func mapMemory(n uintptr) unsafe.Pointer {
	b := make([]uint64, n/8+1)
	kept = append(kept, b)
	return unsafe.Pointer(&b[0])
}

var kept [][]uint64
