package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"loam/internal/scratch"
)

// fuzzInputs is the directory of inputs that fuzzing has found.
const fuzzInputs = "fuzz"

// Clean removes everything that the cache holds, shadow GOROOTs included, but for the inputs
// that fuzzing has found.
func Clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isOurs(e.Name()) {
			return fmt.Errorf("%s holds %s, which is not Loam's; remove it by hand", dir, e.Name())
		}
	}
	scratch.Sweep(dir)
	for _, e := range entries {
		if living, _ := filepath.Match(scratch.Pattern, e.Name()); living || e.Name() == fuzzInputs {
			continue // in use, or gone; not remade by building
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func isOurs(name string) bool {
	for _, pattern := range []string{"obj", "index*", trimStamp, locksFile, scratch.Pattern, "tmp-*", shadows, coverage, fuzzInputs, testsExpired} {
		if ok, _ := filepath.Match(pattern, name); ok {
			return true
		}
	}
	return false
}

// The directories that the cache holds besides its files.
const (
	shadows  = "goroot-*" // GOROOTs with Loam's run-time system
	coverage = "cover-*"  // sources with counters
)

// trimStamp is the file whose time says when the cache was trimmed last.
const trimStamp = "trimmed"

// Trimming: what was not used for trimAge goes, at most once in trimEvery. A file that is used gets
// a new time, at most once in useInterval, so one that a running build has found stays for days.
const (
	trimAge     = 5 * 24 * time.Hour
	trimEvery   = 24 * time.Hour
	useInterval = time.Hour
)

// Trim removes old files and what killed builds left behind. Errors do not matter: the next
// trim comes.
func (c *Cache) Trim() {
	now := time.Now()
	stamp := filepath.Join(c.dir, trimStamp)
	// A stamp of the future is of a clock that was wrong.
	if st, err := os.Stat(stamp); err == nil && now.Sub(st.ModTime()) < trimEvery && st.ModTime().Sub(now) < trimEvery {
		return
	}
	if os.WriteFile(stamp, nil, 0o666) != nil {
		return
	}
	os.Chtimes(stamp, now, now)
	old := func(path string, age time.Duration) bool {
		st, err := os.Lstat(path)
		return err == nil && now.Sub(st.ModTime()) > age+useInterval
	}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		p := filepath.Join(c.dir, e.Name())
		if m, _ := filepath.Match("tmp-*", e.Name()); m && old(p, trimEvery) {
			os.RemoveAll(p)
		}
		if m, _ := filepath.Match("index*", e.Name()); m && old(p, trimAge) {
			os.RemoveAll(p) // of another version of Loam
		}
		for _, pattern := range []string{shadows, coverage} {
			if m, _ := filepath.Match(pattern, e.Name()); m && old(p, trimAge) {
				os.RemoveAll(p)
			}
		}
	}
	dirs, _ := os.ReadDir(filepath.Join(c.dir, "obj"))
	for _, d := range dirs {
		files, _ := os.ReadDir(filepath.Join(c.dir, "obj", d.Name()))
		for _, f := range files {
			if p := filepath.Join(c.dir, "obj", d.Name(), f.Name()); old(p, trimAge) {
				os.Remove(p)
			}
		}
	}
}

// Usage is what a part of the cache takes.
type Usage struct {
	What  string
	Files int
	Bytes int64
}

// Usages tells what the parts of the cache in dir take, and, last, all of it.
func Usages(dir string) []Usage {
	parts := []Usage{{What: "compiled packages"}, {What: "shadow GOROOTs"}, {What: "results of tests"}, {What: "inputs found by fuzzing"}, {What: "other"}}
	all := Usage{What: "in all"}
	filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() {
			return nil
		}
		rel, _ := filepath.Rel(dir, name)
		top, _, _ := strings.Cut(rel, string(filepath.Separator))
		part := 4
		switch kind := filepath.Ext(rel); {
		case top == fuzzInputs:
			part = 3
		case strings.HasPrefix(top, shadows[:len(shadows)-1]):
			if linkedElsewhere(st) {
				return nil
			}
			part = 1
		case top == "obj" && (kind == ".test" || kind == ".testlog"):
			part = 2
		case top == "obj":
			part = 0
		}
		for _, u := range []*Usage{&parts[part], &all} {
			u.Files++
			u.Bytes += st.Size()
		}
		return nil
	})
	return append(parts, all)
}

// linkedElsewhere tells whether a file of a shadow GOROOT is one of the SDK's, which takes no room
// of its own.
func linkedElsewhere(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink > 1
}
