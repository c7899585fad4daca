package trace

import _ "unsafe" // for linkname

// taken reports whether a trace is taken that the program has not begun itself.
//
//go:linkname taken
func taken() bool
