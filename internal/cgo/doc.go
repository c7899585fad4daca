// Package cgo makes Go sources and objects of packages that import "C".
//
// The SDK's own cgo reads such a package, asks the C compiler for the types that it mentions, and
// writes Go sources in place of its own, and C sources with a function for each that is called.
// These are compiled with the package's C files. What gc's compiler would have to know of the Go
// sources (the layout of arguments in a caller's frame, pragmas) is written out in Go (rewrite.go),
// so Loam's compiler knows nothing of C.
//
// All that is made is kept in the cache, by the hash of what it is made from. As with the go
// command, headers outside of the package's directory are not part of that.
package cgo
