//go:build !loam_movable

package sys

// Movable reports whether the program may lie anywhere (movable.go).
const Movable = false

// Bias is what has to be added to an address that the link has written.
func Bias() uintptr { return 0 }
