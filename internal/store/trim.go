package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	for _, pattern := range []string{"obj", "index*", trimStamp, sizeFile, locksFile, scratch.Pattern, "tmp-*", shadows,
		coverage, fuzzInputs, testsExpired} {
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

// DefaultSize is how many bytes of compiled packages and results of tests a cache has at most.
// A day's work on programs of hundreds of packages, with tests and simulated builds, leaves a few
// gigabytes: what is used every day stays.
const DefaultSize = 10e9

// Trim removes old files and what killed builds left behind, and the files that were used least
// recently if the cache has more bytes than it may have. Errors do not matter: the next trim comes.
func (c *Cache) Trim() {
	now := time.Now()
	stamp := filepath.Join(c.Dir, trimStamp)
	// A stamp of the future is of a clock that was wrong.
	st, err := os.Stat(stamp)
	daily := err != nil || now.Sub(st.ModTime()) >= trimEvery || st.ModTime().Sub(now) >= trimEvery
	if !daily && !c.outgrown() {
		return
	}
	if daily {
		if os.WriteFile(stamp, nil, 0o666) != nil {
			return
		}
		os.Chtimes(stamp, now, now)
		c.trimDirectories(now)
	}
	c.trimObjects(now)
}

// trimDirectories removes what is old of all but the files under obj.
func (c *Cache) trimDirectories(now time.Time) {
	old := func(path string, age time.Duration) bool {
		st, err := os.Lstat(path)
		return err == nil && now.Sub(st.ModTime()) > age+useInterval
	}
	entries, _ := os.ReadDir(c.Dir)
	for _, e := range entries {
		p := filepath.Join(c.Dir, e.Name())
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
}

// trimObjects removes the files under obj that are old, and then, if the rest is too much, those
// that were used least recently, down to nine tenths of what there may be. What was used in the
// last two useIntervals stays, as a build that runs may have found it.
func (c *Cache) trimObjects(now time.Time) {
	type file struct {
		path string
		used time.Time
		size int64
	}
	var files []file
	total := int64(0)
	dirs, _ := os.ReadDir(filepath.Join(c.Dir, "obj"))
	for _, d := range dirs {
		entries, _ := os.ReadDir(filepath.Join(c.Dir, "obj", d.Name()))
		for _, e := range entries {
			st, err := e.Info()
			if err != nil {
				continue
			}
			f := file{filepath.Join(c.Dir, "obj", d.Name(), e.Name()), st.ModTime(), st.Size()}
			if now.Sub(f.used) > trimAge+useInterval && os.Remove(f.path) == nil {
				continue
			}
			total += f.size
			files = append(files, f)
		}
	}
	if c.Limit > 0 && total > c.Limit {
		slices.SortFunc(files, func(a, b file) int { return a.used.Compare(b.used) })
		for _, f := range files {
			if total <= c.Limit/10*9 || now.Sub(f.used) < 2*useInterval {
				break
			}
			if os.Remove(f.path) == nil {
				total -= f.size
			}
		}
	}
	os.WriteFile(filepath.Join(c.Dir, sizeFile), fmt.Appendf(nil, "%d of %d\n", total, c.Limit), 0o666)
}

// sizeFile says how many bytes there were under obj when the cache was trimmed last, and how many
// there might be; a line for each build since says how many it has written.
const sizeFile = "size"

// outgrown adds what this process has written to the account, and tells whether the files under obj
// have to be looked through. If they were too many the last time already, because all are in use,
// that is so again after a twentieth more.
func (c *Cache) outgrown() bool {
	if c.Limit <= 0 {
		return false
	}
	name := filepath.Join(c.Dir, sizeFile)
	if n := c.written.Swap(0); n > 0 {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return errors.Is(err, fs.ErrNotExist)
		}
		fmt.Fprintf(f, "+%d\n", n)
		f.Close()
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	var total, limit, since int64
	if _, err := fmt.Sscanf(first, "%d of %d", &total, &limit); err != nil || limit != c.Limit {
		return true
	}
	for line := range strings.Lines(rest) {
		n, _ := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		since += n
	}
	return total+since > c.Limit && since > c.Limit/20
}

// Usage is what a part of the cache takes.
type Usage struct {
	What  string
	Files int
	Bytes int64
}

// Usages tells what the parts of the cache in dir take, and, last, all of it.
func Usages(dir string) []Usage {
	parts := []Usage{{What: "compiled packages"}, {What: "shadow GOROOTs"}, {What: "results of tests"},
		{What: "inputs found by fuzzing"}, {What: "other"}}
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

// linkedElsewhere reports whether a file of a shadow GOROOT is one of the SDK's, which takes no
// room of its own.
func linkedElsewhere(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink > 1
}
