package store

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"loam/internal/load"
)

func TestStamps(t *testing.T) {
	files := map[string]fileStamp{"b.go": {Size: 7, ModTime: 1 << 60, Hash: [32]byte{1, 31: 2}}, "": {Size: 1 << 40, ModTime: -1}}
	data := string(encodeStamps(files))
	f, err := decodeStamps(data)
	if err != nil || !maps.Equal(f, files) {
		t.Fatalf("%v %v", f, err)
	}
	for i := range data {
		if _, err := decodeStamps(data[:i]); err == nil {
			t.Errorf("the first %d of %d bytes are stamps", i, len(data))
		}
	}
	for _, bad := range []string{data + "x", "other", stampsHeader + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		stampsHeader + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if _, err := decodeStamps(bad); err == nil {
			t.Errorf("%q are stamps", bad)
		}
	}
}

// What a build reads and writes of stamps is that of its own modules.
func TestStampsByRoot(t *testing.T) {
	cache, sources := t.TempDir(), t.TempDir()
	pkg := func(i int) *load.Package {
		root := filepath.Join(sources, string(rune('a'+i)))
		return &load.Package{Root: root, Dir: filepath.Join(root, "p")}
	}
	name := func(i int, base string) string { return filepath.Join(pkg(i).Dir, base) }
	c, err := Open(cache)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := os.MkdirAll(filepath.Dir(name(i, "x")), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, base := range []string{"x", "y"} {
			if err := os.WriteFile(name(i, base), []byte(base), 0o666); err != nil {
				t.Fatal(err)
			}
			aged(t, name(i, base), time.Hour)
			if _, err := c.HashFile(pkg(i), name(i, base)); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.SaveStamps()
	files := func(i int) string { return c.Path(stampsKey(pkg(i).Root), stampsKind) }
	for i := range 3 {
		aged(t, files(i), 30*time.Minute)
	}
	os.Remove(name(2, "y"))
	if c, err = Open(cache); err != nil {
		t.Fatal(err)
	}
	if _, err := c.HashFile(pkg(1), name(1, "x")); err != nil || len(c.stamps) != 1 {
		t.Errorf("stamps of %d modules were read (%v)", len(c.stamps), err)
	}
	os.WriteFile(name(2, "x"), []byte("z"), 0o666)
	aged(t, name(2, "x"), 2*time.Hour)
	if _, err := c.HashFile(pkg(2), name(2, "x")); err != nil {
		t.Error(err)
	}
	c.SaveStamps()
	for i, written := range []bool{false, false, true} {
		st, err := os.Stat(files(i))
		if err != nil || (time.Since(st.ModTime()) < time.Minute) != written {
			t.Errorf("stamps of module %d: %v, %v", i, st.ModTime(), err)
		}
	}
	data, _ := os.ReadFile(files(2))
	if f, err := decodeStamps(string(data)); err != nil || len(f) != 1 || f["p/x"].Size != 1 {
		t.Errorf("of what is left: %v %v", f, err)
	}
}
