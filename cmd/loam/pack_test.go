package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// fmtPack is a pack of all that a program with fmt has of std, so that tests with empty caches need
// not compile that.
func fmtPack(t *testing.T) string {
	t.Helper()
	makeFmtPack.Do(func() {
		dir, err := os.MkdirTemp("", "loam-pack-")
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, "fmt.pack")
		if r := run(t, dir, nil, "pack", "-o", name, "fmt", "embed"); r.code != 0 {
			os.RemoveAll(dir)
			t.Fatalf("loam pack: %s", r.stderr)
		}
		theFmtPack, removeFmtPack = name, func() { os.RemoveAll(dir) }
	})
	if theFmtPack == "" {
		t.Skip("there is no pack")
	}
	return theFmtPack
}

var (
	makeFmtPack   sync.Once
	theFmtPack    string
	removeFmtPack = func() {} // called by TestMain
)

// inCheckout is a setting for programs that are compared byte for byte though caches lie in
// different directories: a program names where Loam's own files are, which is the cache otherwise.
func inCheckout(t *testing.T) string {
	t.Helper()
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return "LOAMROOT=" + checkout
}

// content is a file's.
func content(t *testing.T, name ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPack: with a pack, or what it held, nothing of it is compiled, and the program and the pack
// that is made again are the same.
func TestPack(t *testing.T) {
	dir := module(t, program)
	name := filepath.Join(t.TempDir(), "p.pack")
	r := run(t, dir, nil, "pack", "-o", name, "./...")
	if !regexp.MustCompile(`^`+name+`: \d+\.\d MB\n$`).MatchString(r.stdout) || r.code != 0 || r.stderr != "" {
		t.Fatalf("%+v", r)
	}
	want(t, run(t, dir, []string{inCheckout(t)}, "build", "-o", "out", "."), 0, "", "")
	program := content(t, dir, "out")
	check := func(compiled string, env ...string) {
		t.Helper()
		env = append(env, inCheckout(t))
		os.Remove(filepath.Join(dir, "out"))
		want(t, run(t, dir, env, "build", "-v", "-o", "out", "."), 0, "", compiled)
		if !bytes.Equal(content(t, dir, "out"), program) {
			t.Error("another program")
		}
		again := filepath.Join(t.TempDir(), "again.pack")
		if r := run(t, dir, env, "pack", "-o", again, "./..."); r.code != 0 || !bytes.Equal(content(t, again), content(t, name)) {
			t.Errorf("another pack; %s", r.stderr)
		}
	}
	inPlace := "LOAMCACHE=" + t.TempDir()
	check("", inPlace, "LOAMPACK="+name)
	check("example.com/p/lib\nexample.com/p\n", "LOAMCACHE="+t.TempDir(), "LOAMPACK="+fmtPack(t))
	check("", "LOAMCACHE="+t.TempDir(), "LOAMPACK="+filepath.Dir(fmtPack(t))+":"+filepath.Dir(name))
	// What was written for the linker is in the cache, nothing else.
	if names, _ := filepath.Glob(filepath.Join(strings.TrimPrefix(inPlace, "LOAMCACHE="), "obj", "*", "*.x")); len(names) > 0 {
		t.Errorf("the pack was copied: %q", names)
	}
	unpacked := "LOAMCACHE=" + t.TempDir()
	said := run(t, dir, []string{unpacked}, "unpack", "-n", name)
	if !strings.HasPrefix(said.stdout, name+": [./...] for go1.") || said.code != 0 {
		t.Errorf("%+v", said)
	}
	if _, err := os.Stat(filepath.Join(strings.TrimPrefix(unpacked, "LOAMCACHE="), "obj", "00")); err == nil {
		t.Error("unpack -n has copied")
	}
	want(t, run(t, dir, []string{unpacked}, "unpack", name), 0, said.stdout, "")
	check("", unpacked, "LOAMPACK=off")
	// After an edit only what it concerns is compiled.
	write(t, dir, "-- other.go --\npackage main\n\nfunc init() { println() }\n")
	want(t, run(t, dir, []string{inPlace, "LOAMPACK=" + name}, "build", "-v", "-o", "out", "."), 0, "", "example.com/p\n")
}

// TestPackBesideCommand: packs that come with loam are found, where it is and by a link to it.
func TestPackBesideCommand(t *testing.T) {
	pack := fmtPack(t)
	dir := module(t, program)
	place := t.TempDir()
	for name, data := range map[string][]byte{"bin/loam": content(t, loam), "lib/loam/some.pack": content(t, pack)} {
		write(t, place, "-- "+name+" --\n")
		if err := os.WriteFile(filepath.Join(place, name), data, 0o777); err != nil {
			t.Fatal(err)
		}
		os.Chmod(filepath.Join(place, name), 0o777)
	}
	link := filepath.Join(t.TempDir(), "loam")
	if err := os.Symlink(filepath.Join(place, "bin/loam"), link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, "env", "LOAMPACK")
	cmd.Env = append(os.Environ(), "LOAMPACK=")
	if out, err := cmd.CombinedOutput(); string(out) != filepath.Join(place, "lib/loam")+"\n" {
		t.Errorf("%s %v", out, err)
	}
	cmd = exec.Command(link, "build", "-v", "-o", "out", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LOAMPACK=", "LOAMCACHE="+t.TempDir())
	if out, err := cmd.CombinedOutput(); string(out) != "example.com/p/lib\nexample.com/p\n" || err != nil {
		t.Errorf("%s %v", out, err)
	}
	// One that is of no use is not mentioned: nobody asked for it.
	cmd = exec.Command(link, "build", "-v", "./lib")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LOAMPACK=", "LOAMCACHE="+t.TempDir(), "GOAMD64=v3")
	if out, err := cmd.CombinedOutput(); !strings.HasSuffix(string(out), "example.com/p/lib\n") ||
		strings.Contains(string(out), "pack") || err != nil {
		t.Errorf("%s %v", out, err)
	}
}

// TestPackOfNoUse: a pack that is damaged, or is not there, is an error; one for something else is
// passed over with a line.
func TestPackOfNoUse(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/alone\n\ngo 1.26\n-- p.go --\npackage p\n\nconst A = 1\n")
	cache := "LOAMCACHE=" + t.TempDir()
	name := filepath.Join(t.TempDir(), "p.pack")
	if r := run(t, dir, []string{cache, "LOAMPACK=" + fmtPack(t)}, "pack", "-o", name, "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	good := content(t, name)
	build := func(env ...string) result {
		return run(t, dir, append([]string{"LOAMCACHE=" + t.TempDir(), "LOAMPACK=" + name}, env...), "build", "-v", ".")
	}
	want(t, build(), 0, "", "")
	want(t, build("GOAMD64=v3"), 0, "", "loam: LOAMPACK: not used: "+name+" is for GOAMD64=v1, not for v3\nexample.com/alone\n")
	want(t, run(t, dir, []string{cache, "GOAMD64=v3"}, "unpack", name), 1, "",
		"loam: the pack is of no use here: "+name+" is for GOAMD64=v1, not for v3\n")
	want(t, build("LOAMPACK="+dir), 0, "", "loam: LOAMPACK: no packs (*.pack) in "+dir+"\nexample.com/alone\n")
	want(t, build("LOAMPACK="+dir+"/none"), 1, "", "loam: LOAMPACK: stat "+dir+"/none: no such file or directory\n")
	want(t, build("LOAMPACK="+dir+"/p.go"), 1, "", "loam: LOAMPACK: "+dir+"/p.go is not a pack that this loam can read\n")
	damage := func(data []byte) {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	damage(good[:len(good)/2])
	if r := build(); r.code != 1 || !strings.HasPrefix(r.stderr, "loam: LOAMPACK: "+name+": the pack is damaged: it has ") {
		t.Errorf("%+v", r)
	}
	// The record of the package is what a build reads of this pack.
	at := bytes.Index(good, []byte(`{"Objects":`))
	changed := bytes.Clone(good)
	for at >= 0 && at < len(good) {
		changed[at+2] ^= 1
		next := bytes.Index(good[at+2:], []byte(`{"Objects":`))
		if next < 0 {
			break
		}
		at += 2 + next
	}
	damage(changed)
	for _, r := range []result{build(), run(t, dir, []string{"LOAMCACHE=" + t.TempDir()}, "unpack", name)} {
		if r.code != 1 || !strings.HasPrefix(r.stderr, "loam: "+name+": the pack is damaged: ") ||
			!strings.Contains(r.stderr, " does not have the hash that the directory says") {
			t.Errorf("%+v", r)
		}
	}
}
