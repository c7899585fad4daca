package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/store"
	"loam/internal/toolchain"
)

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
	older := strings.Join(toolchain.OlderLocations, " ")
	for _, standard := range []bool{false, true} {
		n := &unit{pkg: &load.Package{ImportPath: "p", Standard: standard}}
		for _, linesOnly := range []bool{false, true} {
			b := &Builder{tools: &toolchain.Toolchain{}}
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
