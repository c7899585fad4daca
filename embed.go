// Package loam carries the run-time system's sources inside the loam command, so that an
// installed loam needs nothing but a Go SDK, clang and lld.
package loam

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// Sources are a tree that holds rt/ and overlay/.
type Sources struct {
	fs.FS
	dir string
}

// Root is the directory in which users have the tree, "" if it is in no directory.
func (s Sources) Root() string { return s.dir }

// RuntimeSources returns the sources of the run-time system: the embedded copy, or the
// directory named by $LOAMROOT (a checkout of Loam) for work on the run-time system itself.
func RuntimeSources() Sources {
	if dir := os.Getenv("LOAMROOT"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		return Sources{os.DirFS(dir), dir}
	}
	return Sources{embedded, ""}
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
