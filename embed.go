// Package loam carries the run-time system's sources inside the loam command, so that an
// installed loam needs nothing but a Go SDK, clang and lld.
package loam

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed all:rt all:overlay
var embedded embed.FS

// RuntimeSources returns the tree that holds rt/ and overlay/: the embedded copy, or the
// directory named by $LOAMROOT (a checkout of Loam) for work on the run-time system itself.
func RuntimeSources() fs.FS {
	if dir := os.Getenv("LOAMROOT"); dir != "" {
		return os.DirFS(dir)
	}
	return embedded
}
