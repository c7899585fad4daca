package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/store"
)

// TestInitOrder: sorted by path, always the first package whose imports are done; the
// runtime's come first; packages with nothing to initialise do not count.
func TestInitOrder(t *testing.T) {
	var units []*unit
	byPath := map[string]*unit{}
	add := func(path string, hasInit bool, deps ...string) {
		n := &unit{pkg: &load.Package{ImportPath: path}, rec: &record{HasInit: hasInit}}
		for _, d := range deps {
			n.deps = append(n.deps, byPath[d])
		}
		units = append(units, n)
		byPath[path] = n
	}
	add("zz/quiet", false)
	add("internal/z", true)
	add("runtime", true, "internal/z")
	add("b", true, "runtime")
	add("y", true, "zz/quiet")
	add("a", true, "y")
	add("c", false, "b")
	add("d", true, "zz/quiet")
	add("main", true, "c", "a", "d", "runtime")
	var got []string
	for _, n := range initOrder(byPath["main"], byPath["runtime"], units) {
		got = append(got, n.pkg.ImportPath)
	}
	if want := "internal/z runtime b d y a main"; strings.Join(got, " ") != want {
		t.Errorf("order %v, want %s", got, want)
	}
}

// TestSplitFIPS: the module's packages are linked together, those that are compiled anew for a test
// too.
func TestSplitFIPS(t *testing.T) {
	var units []*unit
	for _, path := range []string{"runtime", "crypto/internal/fips140/aes [internal/abi.test]", "fmt", "crypto/internal/fips140/check [internal/abi.test]"} {
		units = append(units, &unit{pkg: &load.Package{ImportPath: path}})
	}
	if module, others := splitFIPS(units); len(module) != 2 || module[0] != units[1] || module[1] != units[3] || len(others) != 2 {
		t.Errorf("module %v, others %v", module, others)
	}
	if module, others := splitFIPS(units[:3]); module != nil || len(others) != 3 {
		t.Errorf("without the check: module %v, others %v", module, others)
	}
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	c, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write("abcd", "x", []byte("text")); err != nil {
		t.Fatal(err)
	}
	if data, err := c.Read("abcd", "x"); string(data) != "text" || err != nil || !c.Has("abcd", "x") || c.Has("abcd", "o") {
		t.Errorf("read %q %v", data, err)
	}

	source := filepath.Join(dir, "..", "source")
	write := func(text string, age time.Duration) [32]byte {
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(source, at, at); err != nil {
			t.Fatal(err)
		}
		sum, err := c.HashFile(&load.Package{Dir: filepath.Dir(source)}, source)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	one := write("1", time.Hour)
	if two := write("2", time.Minute); one == two {
		t.Error("an edit of the same size went unseen")
	}
	// Written just now, twice within the clock's resolution: must not be remembered.
	three := write("3", 0)
	if four := write("4", 0); three == four {
		t.Error("an edit at the same time went unseen")
	}
	c.SaveStamps()

	old := time.Now().Add(-10 * 24 * time.Hour)
	if err := os.Chtimes(c.Path("abcd", "x"), old, old); err != nil {
		t.Fatal(err)
	}
	c.Trim()
	if c.Has("abcd", "x") {
		t.Error("an old file survived")
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := store.Clean(dir); err == nil {
		t.Error("Clean removed a directory that holds other people's files")
	}
	os.Remove(filepath.Join(dir, "mine"))
	temp, err := c.Temp(".o") // of a process that lives
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Clean(dir); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(filepath.Dir(temp)) {
		t.Errorf("Clean left %v, %v", entries, err)
	}
}

// TestLocations: the search for the places of variables is the older one where none is described.
func TestLocations(t *testing.T) {
	older := strings.Join(olderLocations, " ")
	for _, standard := range []bool{false, true} {
		n := &unit{pkg: &load.Package{ImportPath: "p", Standard: standard}}
		for _, linesOnly := range []bool{false, true} {
			b := &Builder{}
			b.Flags = func(*load.Package) lower.Flags { return lower.Flags{LinesOnly: linesOnly} }
			flags := strings.Join(b.packageFlags(n), " ")
			if got, want := strings.Contains(flags, older), standard || linesOnly; got != want {
				t.Errorf("standard %t, lines only %t: %s", standard, linesOnly, flags)
			}
		}
	}
}

func TestHasher(t *testing.T) {
	a, b := store.NewHasher("x"), store.NewHasher("x")
	a.Add("k", "ab")
	a.Add("l", "c")
	b.Add("k", "a")
	b.Add("bl", "c")
	if a.Sum() == b.Sum() {
		t.Error("different parts, same key")
	}
}

// A linker that ran into the limit of a file's size says what it is, and nothing of itself.
func TestFileLimit(t *testing.T) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	limit := old
	limit.Cur = min(old.Max, 1<<40)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	err := &toolError{tool: "ld.lld-19", err: errors.New("exit status 1"), output: "PLEASE submit a bug report\nStack dump:\n0. x"}
	if want := fmt.Sprintf("ld.lld-19: file too large: the limit is %d bytes (ulimit -f)", limit.Cur); err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	err.output = "ld.lld-19: error: x"
	if want := "ld.lld-19: exit status 1\nld.lld-19: error: x"; err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

func TestLinkError(t *testing.T) {
	main := &unit{pkg: &load.Package{ImportPath: "p"}}
	err := linkError(main, &toolError{tool: "ld.lld-19", output: `ld.lld-19: error: undefined symbol: p.(*T).Asm
>>> referenced by x.go:3 (/src/x.go:3)
>>>               /cache/obj/ab/abcd.o:(p.caller)

ld.lld-19: error: undefined symbol: q.F
>>> referenced by y.go:7
>>>               /cache/obj/ab/abcd.o:(p.user)
>>> referenced 2 more times

ld.lld-19: error: undefined symbol: main.main
>>> referenced by proc.go:9
>>>               /cache/obj/ab/abcd.o:(runtime.main)`})
	want := "# p\nmissing function body: p.(*T).Asm (used by p.caller)\nmissing function body: q.F (used by p.user)\n" +
		"runtime.main_main·f: function main is undeclared in the main package"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}
