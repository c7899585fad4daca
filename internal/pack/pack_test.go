package pack

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var made = Made{Compiler: "c", Go: "go1.26.8", Level: "v1", Clang: "clang 19", Packages: []string{"std"}}

var contents = map[string]string{"a.o": "first", "a.x": "", "b.o": strings.Repeat("second", 20)}

// write makes a pack of contents.
func write(t *testing.T) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "p.pack")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.o", "a.x", "b.o"} {
		if err := w.Add(name, []byte(contents[name])); err != nil {
			t.Fatal(err)
		}
	}
	if w.Add("b.o", nil) == nil {
		t.Error("the same name twice")
	}
	if err := w.Close(&made); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRead(t *testing.T) {
	p, err := Open(write(t))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if !reflect.DeepEqual(p.Made, made) || len(p.Names()) != len(contents) {
		t.Errorf("%+v %q", p.Made, p.Names())
	}
	for name, want := range contents {
		if got, err := p.Read(name); string(got) != want || err != nil || !p.Has(name) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if _, err := p.Read("c.o"); err == nil || p.Has("c.o") {
		t.Error("c.o")
	}
}

// TestDamaged: whatever is cut off a pack, or changed in it, is found before anything wrong is
// read.
func TestDamaged(t *testing.T) {
	name := write(t)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(write(t)); !bytes.Equal(data, again) {
		t.Errorf("the same contents make other bytes, %v", err)
	}
	check := func(what string, i int, changed []byte) {
		file := filepath.Join(t.TempDir(), "bad.pack")
		if err := os.WriteFile(file, changed, 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := Open(file)
		if err == nil {
			defer p.Close()
			for name, want := range contents {
				got, readErr := p.Read(name)
				if readErr == nil && string(got) != want {
					t.Errorf("%s %d: %s is %q", what, i, name, got)
				}
				if readErr != nil {
					err = readErr
				}
			}
		}
		if err == nil || !strings.Contains(err.Error(), file+": the pack is damaged: ") &&
			!strings.Contains(err.Error(), file+" is not a pack that this loam can read") {
			t.Errorf("%s %d: %v", what, i, err)
		}
	}
	for i := range data {
		check("cut to", i, data[:i])
		changed := bytes.Clone(data)
		changed[i] ^= 0x40
		check("changed", i, changed)
	}
	check("longer", len(data), append(bytes.Clone(data), 0))
}
