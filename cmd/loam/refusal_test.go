package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusals: a flag that loam refuses is named with the word that says so, and where it is from,
// if that is not the command line. Verbs of the go command refuse what it would ask cgo for.
func TestRefusals(t *testing.T) {
	dir := module(t, program)
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte("GOFLAGS=-msan\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const asan = "-asan is refused: loam has no address sanitizer\n"
	const msan = "-msan is refused: loam has no memory sanitizer\n"
	const linked = "-linkshared is refused: loam makes static programs only\n"
	for _, c := range []struct{ env, args, want string }{
		{"", "build -asan .", "loam: build: " + asan},
		{"", "run -asan .", "loam: run: " + asan},
		{"", "test -asan .", "loam: test: " + asan},
		{"", "install -asan .", "loam: install: " + asan},
		{"", "vet -asan .", "loam: vet: " + asan},
		{"", "list -asan=true .", "loam: list: " + asan},
		{"", "build -msan=1 .", "loam: build: " + msan},
		{"", "build -toolexec prog .", "loam: build: -toolexec is refused: loam runs clang and ld.lld itself; "},
		{"", "build -linkshared .", "loam: build: " + linked},
		{"", "build -compiler=gccgo .", "loam: build: -compiler is refused: loam is the compiler\n"},
		{"", "build -pkgdir=x .", "loam: build: -pkgdir is refused: "},
		{"", "test -buildmode=plugin .", "loam: test: -buildmode=plugin is refused: loam makes programs only\n"},
		{"GOFLAGS=-asan", "build .", "loam: GOFLAGS: " + asan},
		{"GOFLAGS=-v -toolexec=prog", "test .", "loam: GOFLAGS: -toolexec is refused: "},
		{"GOFLAGS=-buildmode=shared", "build .", "loam: GOFLAGS: -buildmode=shared is refused: "},
		{"GOFLAGS=-linkshared", "run .", "loam: GOFLAGS: " + linked},
		{"GOFLAGS=-asan", "vet .", "loam: GOFLAGS: " + asan},
		{"GOFLAGS=-ldflags=-nosuch", "build .", "loam: GOFLAGS: invalid value \"-nosuch\" for flag -ldflags: loam's linker has no flag -nosuch"},
		{"GOFLAGS=-covermode=x", "test .", "loam: GOFLAGS: invalid value \"x\" for flag -covermode: valid modes are "},
		{"GOFLAGS=-p=x", "build .", "loam: GOFLAGS: invalid value \"x\" for flag -p: parse error\n"},
		{"GOENV=" + file, "build .", "loam: GOFLAGS in " + file + ": " + msan},
		{"GOENV=" + file, "vet .", "loam: GOFLAGS in " + file + ": " + msan},
	} {
		r := run(t, dir, []string{"GOFLAGS=", c.env}, strings.Fields(c.args)...)
		if r.code != 2 || !strings.HasPrefix(r.stderr, c.want) {
			t.Errorf("%s loam %s: exit code %d\n%swant %s", c.env, c.args, r.code, r.stderr, c.want)
		}
	}
	for _, args := range []string{"build -asan=false -msan=0 .", "list -msan=false .", "vet -asan=false ."} {
		if r := run(t, dir, []string{"GOFLAGS=-asan=false"}, strings.Fields(args)...); r.code != 0 {
			t.Errorf("loam %s: %s", args, r.stderr)
		}
	}
}

// TestRefusalsOfAll: each verb that compiles refuses each of these flags from both sources, and
// before it does anything else.
func TestRefusalsOfAll(t *testing.T) {
	dir := t.TempDir() // without a module
	flags := map[string]string{
		"-msan": "loam has no memory sanitizer",
		"-asan": "loam has no address sanitizer", "-compiler": "loam is the compiler",
		"-toolexec":   "loam runs clang and ld.lld itself; LOAM_CLANG and LOAM_LLD name others",
		"-linkshared": "loam makes static programs only", "-pkgdir": "loam keeps packages in its cache; LOAMCACHE names another",
	}
	for verb, why := range map[string]string{"run": "-buildmode=c-shared is refused: only build and install make libraries",
		"build": "-buildmode=c-shared requires exactly one main package"} {
		if r := run(t, module(t, "-- go.mod --\nmodule m\n-- p.go --\npackage p\n"), nil, verb, "-buildmode=c-shared", "."); r.code == 0 ||
			!strings.Contains(r.stderr, why) {
			t.Errorf("loam %s: exit code %d, %s", verb, r.code, r.stderr)
		}
	}
	for _, mode := range []string{"archive", "plugin", "shared", "nosuch"} {
		flags["-buildmode="+mode] = "loam makes programs only"
	}
	for _, verb := range []string{"build", "run", "test", "install", "pack", "sim"} {
		for flag, why := range flags {
			said := flag + " is refused: " + why + "\n"
			word := flag
			if flag == "-toolexec" || flag == "-compiler" || flag == "-pkgdir" {
				word += "=x"
			}
			want(t, run(t, dir, []string{"GOFLAGS="}, verb, word, "."), 2, "", "loam: "+verb+": "+said)
			want(t, run(t, dir, []string{"GOFLAGS=-v " + word}, verb, "."), 2, "", "loam: GOFLAGS: "+said)
		}
	}
}

// TestVerbs: loam guesses which verb is meant, knows its version by -v, and makes reports of its
// own.
func TestVerbs(t *testing.T) {
	dir := t.TempDir()
	for name, guess := range map[string]string{
		"buid": "build", "bulid": "build", "biuld": "build", "tset": "test", "rnu": "run", "verison": "version", "instal": "install",
		"modd": "mod", "clena": "clean", "envv": "env", "nosuch": "", "x": "", "xy": "", "./...": "",
	} {
		want1 := "loam " + name + ": unknown command\n"
		if guess != "" {
			want1 += "Did you mean 'loam " + guess + "'? "
		}
		want(t, run(t, dir, nil, name, "."), 2, "", want1+"Run 'loam help' for usage.\n")
	}
	for _, flag := range []string{"-json", "--json", "-x=1", "-race"} {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		want(t, run(t, dir, nil, flag, "build"), 2, "", "flag provided but not defined: -"+name+"\nRun 'loam help' for usage.\n")
	}
	version := run(t, dir, nil, "version")
	want(t, run(t, dir, nil, "-v"), 0, version.stdout, "")
	r := run(t, dir, []string{"LOAMOPT=full"}, "bug")
	for _, s := range []string{"### What did you do?\n", version.stdout, "LOAMOPT='full'\n", "clang version ", "LLD ", "kernel "} {
		if r.code != 0 || !strings.Contains(r.stdout, s) {
			t.Errorf("loam bug does not say %q: exit code %d\n%s%s", s, r.code, r.stdout, r.stderr)
		}
	}
	if strings.Contains(r.stdout+r.stderr, "golang.org") {
		t.Errorf("loam bug reports to Go\n%s%s", r.stdout, r.stderr)
	}
}
