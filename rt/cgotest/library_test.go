package cgotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"loam/internal/loamtest"
)

// madeLibrary is a library of a compiler's, with programs that are linked with it, or load it.
type madeLibrary struct{ library, copied, header, linked, loaded string }

func makeLibrary(t *testing.T, compiler, mode string) (m madeLibrary) {
	t.Helper()
	dir := t.TempDir()
	m.library = filepath.Join(dir, "liblib"+map[string]string{"c-shared": ".so", "c-archive": ".a"}[mode])
	build(t, compiler, "library", m.library, "-buildmode="+mode)
	text, err := os.ReadFile(filepath.Join(dir, "liblib.h"))
	if err != nil {
		t.Fatal(err)
	}
	m.header = string(text)
	host := func(name string, libraries ...string) string {
		exe := filepath.Join(dir, name)
		args := []string{"-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-variable", "-I", dir, "-o", exe,
			filepath.Join("testdata/library/host", name+".c")}
		if out, err := exec.Command("clang-19", append(append(args, libraries...), "-pthread", "-ldl")...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return exe
	}
	m.linked = host("linked", m.library, "-fuse-ld=lld", "-Wl,-rpath,"+dir)
	if mode == "c-shared" {
		m.loaded, m.copied = host("loaded"), filepath.Join(dir, "copied.so")
		loamtest.Do(t, "cp", m.library, m.copied)
	}
	return m
}

// TestArchiveName: in a directory an archive has the package's name, as gc's.
func TestArchiveName(t *testing.T) {
	for _, compiler := range []string{"go", loamtest.Command(t)} {
		dir := t.TempDir()
		build(t, compiler, "library", dir+"/", "-buildmode=c-archive")
		for _, name := range []string{"library.a", "library.h"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Errorf("%s: %v", compiler, err)
			}
		}
	}
}

// TestLibrary builds a library for programs of C's with both compilers, to be loaded and to be
// linked. The programs do the same with either.
func TestLibrary(t *testing.T) {
	loam := loamtest.Command(t)
	for _, mode := range []string{"c-shared", "c-archive"} {
		t.Run(mode, func(t *testing.T) {
			gc, own := makeLibrary(t, "go", mode), makeLibrary(t, loam, mode)
			if own.header != gc.header {
				t.Errorf("the header is\n%s--- want\n%s", own.header, gc.header)
			}
			compare := func(wanted, exe string, settings []string, argument func(madeLibrary) []string) {
				want, _, _ := run(t, wanted, nil, argument(gc)...)
				if have, errs, code := run(t, exe, settings, argument(own)...); have != want || code != 0 {
					t.Errorf("%v: exit code %d, stderr\n%s\nprinted\n%swant\n%s", settings, code, errs, have, want)
				}
			}
			for _, settings := range [][]string{nil, {"GOMAXPROCS=1"}, {"GOMAXPROCS=16", "LOAMDEBUG=yield=7"},
				{"LOAMDEBUG=gcpoison=1,gcverify=1,gcevery=50"}} {
				compare(gc.linked, own.linked, settings, func(madeLibrary) []string { return []string{"argument"} })
				if mode == "c-shared" {
					compare(gc.loaded, own.loaded, settings, func(m madeLibrary) []string { return []string{m.library, m.copied} })
				}
			}
		})
	}
}
