//go:build loam_movable

package sys

import "unsafe"

// Movable reports whether the program may lie anywhere (-buildmode=pie). Then what the link writes
// of addresses counts from the image's beginning, and offsets of 32 bits from what they are in.
const Movable = true

//go:linkname imageStart __ehdr_start
var imageStart byte

// Bias is what has to be added to an address that the link has written.
func Bias() uintptr { return uintptr(unsafe.Pointer(&imageStart)) }
