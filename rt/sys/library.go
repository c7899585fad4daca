//go:build loam_library

package sys

import "unsafe"

// Library reports whether the run-time system is part of somebody else's program
// (-buildmode=c-shared or c-archive). Its threads have their thread blocks where the C library puts
// them: GS points behind the block of a thread, and only the stack limit is where FS points.
const Library = true

// Where the code begins, and where the first link has put it. In an archive, which is linked once
// more, code and data move by different distances.

//go:linkname textStart loam.text_start
var textStart byte

//go:linkname linkedText loam.linked_text
var linkedText uintptr

// TextStart is where the code begins.
func TextStart() uintptr { return uintptr(unsafe.Pointer(&textStart)) }

// TextBias is Bias for addresses of code.
func TextBias() uintptr { return TextStart() - linkedText }
