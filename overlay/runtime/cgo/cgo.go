// Package cgo is the part of a program with C that is C itself: what Loam's run-time system asks
// the C library for (threads, the environment), and what the C that the cgo tool writes calls.
// Programs import it for [Handle] and [Incomplete] only.
package cgo

/*
#cgo CFLAGS: -Wall -Werror
#cgo LDFLAGS: -lpthread
*/
import "C"

import "internal/runtime/sys"

// Incomplete is the type of a C struct whose fields are not known.
type Incomplete struct {
	_ sys.NotInHeap
}
