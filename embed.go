// Package loam carries the run-time system's sources inside the loam command, so that an
// installed loam needs nothing but a Go SDK, clang and lld.
package loam

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
)

//go:embed all:rt all:overlay
var embedded embed.FS

// License is the licence of Loam, Notice says which works of others it contains, with their licences.
var (
	//go:embed LICENSE
	License string
	//go:embed NOTICE
	Notice string
)

// RuntimeSources returns the tree that holds rt/ and overlay/: the embedded copy, or the
// directory named by $LOAMROOT (a checkout of Loam) for work on the run-time system itself.
func RuntimeSources() fs.FS {
	if dir := os.Getenv("LOAMROOT"); dir != "" {
		return os.DirFS(dir)
	}
	return embedded
}

// CheckRoot is an error if $LOAMROOT names a directory that is no checkout of Loam.
func CheckRoot() error {
	dir := os.Getenv("LOAMROOT")
	if dir == "" {
		return nil
	}
	for _, name := range []string{"rt/sched", "overlay/overlay.txt"} {
		if _, err := fs.Stat(os.DirFS(dir), name); err != nil {
			return fmt.Errorf("LOAMROOT=%s is no checkout of Loam: it has no %s", dir, name)
		}
	}
	return nil
}
