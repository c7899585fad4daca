//go:build !loam_library

package sys

// Library reports whether the run-time system is part of somebody else's program (library.go).
const Library = false

// TextStart is for libraries.
func TextStart() uintptr { return 0 }

// TextBias is Bias for addresses of code.
func TextBias() uintptr { return Bias() }
