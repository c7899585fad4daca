package cgotest

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// environment has both compilers compile C with clang, whatever else is installed.
func environment() []string {
	return append(os.Environ(), "CGO_ENABLED=1", "CC=clang-19", "CXX=clang++-19", "GOFLAGS=", "GOWORK=off")
}

func build(t *testing.T, compiler, dir, exe string, flags ...string) {
	t.Helper()
	cmd := exec.Command(compiler, append(append([]string{"build", "-o", exe}, flags...), ".")...)
	cmd.Dir, cmd.Env = filepath.Join("testdata", dir), environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s build: %v\n%s", compiler, err, out)
	}
}

// run returns what a program prints, and its exit code.
func run(t *testing.T, exe string, settings []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(exe, args...)
	cmd.Env = loamtest.Environ(settings...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Start()
	if err == nil {
		stop := loamtest.Guard(cmd, 5*time.Minute)
		err = cmd.Wait()
		stop()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestPrograms compares what programs print, with few and many processors, with yields and
// collections wherever there may be one.
func TestPrograms(t *testing.T) {
	loam := loamtest.Command(t)
	for _, dir := range []string{"values", "callbacks", "threads", "panics", "cplus", "env", "check", "callbacks pie", "panics pie", "threads pie"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			gc, own := filepath.Join(t.TempDir(), "gc"), filepath.Join(t.TempDir(), "loam")
			dir, mode, _ := strings.Cut(dir, " ")
			build(t, "go", dir, gc)
			build(t, loam, dir, own, "-buildmode="+cmp.Or(mode, "exe"))
			want, errs, code := run(t, gc, nil)
			if code != 0 {
				t.Fatalf("gc's program: exit code %d\n%s", code, errs)
			}
			for _, settings := range [][]string{nil, {"GOMAXPROCS=1"}, {"GOMAXPROCS=16", "LOAMDEBUG=yield=7"},
				{"LOAMDEBUG=gcpoison=1,gcverify=1,gcevery=50"}} {
				have, errs, code := run(t, own, settings)
				if have != want || code != 0 {
					t.Errorf("%v: exit code %d, stderr\n%s\nprinted\n%swant\n%s", settings, code, errs, have, want)
				}
			}
		})
	}
}

// TestDeaths has programs die in C.
func TestDeaths(t *testing.T) {
	loam := loamtest.Command(t)
	gc, own := filepath.Join(t.TempDir(), "gc"), filepath.Join(t.TempDir(), "loam")
	build(t, "go", "faults", gc)
	build(t, loam, "faults", own)
	for _, way := range []string{"fault", "leave", "aborted", "panic"} {
		_, wantText, want := run(t, gc, nil, way)
		_, text, code := run(t, own, nil, way)
		wantFirst, _, _ := strings.Cut(wantText, "\n")
		first, _, _ := strings.Cut(text, "\n")
		if code != want || first != wantFirst ||
			strings.Contains(wantText, "main._Cfunc_"+way+"(") != strings.Contains(text, "main._Cfunc_"+way+"(") {
			t.Errorf("%s: exit code %d, want %d\n%s--- want\n%s", way, code, want, text, wantText)
		}
	}
}

// TestStatic links the C library into the program, by a flag of cgo's or of the linker's.
func TestStatic(t *testing.T) {
	for _, how := range []struct{ setting, flag, mode string }{
		{"CGO_LDFLAGS=-static", "", "exe"},
		{"CGO_LDFLAGS=", "-linkmode=external -extldflags=-static", "exe"},
		{"CGO_LDFLAGS=", `-linkmode external -extldflags "-static -Wl,-z,now"`, "exe"},
		{"CGO_LDFLAGS=", "-extldflags=-static", "pie"},
		{"CGO_LDFLAGS=", "-extldflags=-static-pie", "pie"},
	} {
		exe := filepath.Join(t.TempDir(), "x")
		cmd := exec.Command(loamtest.Command(t), "build", "-buildmode="+how.mode, "-ldflags="+how.flag, "-o", exe, ".")
		cmd.Dir, cmd.Env = filepath.Join("testdata", "callbacks"), append(environment(), how.setting)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%s: %v\n%s", how, err, out)
		}
		if f, err := elf.Open(exe); err != nil || f.Section(".interp") != nil || (f.Type == elf.ET_DYN) != (how.mode == "pie") {
			t.Errorf("%s: the program is not static (%v)", how, err)
		}
		if out, errs, code := run(t, exe, nil); code != 0 || !strings.HasSuffix(out, "sorted true\n") {
			t.Errorf("%s: exit code %d\n%s%s", how, code, out, errs)
		}
	}
}

// TestExternalFlags: the C compiler that links the program gets -extldflags, unless it is to be
// linked without one.
func TestExternalFlags(t *testing.T) {
	for _, c := range []struct{ flags, path, fault string }{
		{"-extldflags=-Wl,-rpath,/nowhere", "/nowhere", ""},
		{"-linkmode=external -extldflags=-Wl,-rpath,/nowhere", "/nowhere", ""},
		{"-linkmode=internal -extldflags=-Wl,-rpath,/nowhere", "", ""},
		{"-extldflags=-Wl,--bad", "", "unknown argument '--bad'"},
		{"-extldflags=-pie", "", "-extldflags=-pie: that is for -buildmode=pie"},
		{"-extldflags=-shared", "", "-extldflags=-shared: that is for -buildmode=c-shared"},
		{"-linkmode=other", "", `invalid linkmode: "other"`},
	} {
		exe := filepath.Join(t.TempDir(), "x")
		cmd := exec.Command(loamtest.Command(t), "build", "-ldflags="+c.flags, "-o", exe, ".")
		cmd.Dir, cmd.Env = filepath.Join("testdata", "values"), environment()
		out, err := cmd.CombinedOutput()
		if c.fault != "" {
			if _, made := os.Stat(exe); err == nil || !strings.Contains(string(out), c.fault) || made == nil {
				t.Errorf("%s: %v\n%s", c.flags, err, out)
			}
			continue
		}
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", c.flags, err, out)
			continue
		}
		f, err := elf.Open(exe)
		if err != nil {
			t.Fatal(err)
		}
		path, err := f.DynString(elf.DT_RUNPATH)
		if err != nil || strings.Join(path, " ") != c.path {
			t.Errorf("%s: the path of libraries is %q (%v)", c.flags, path, err)
		}
		f.Close()
	}
}

// TestShared reads and writes a variable of a shared library, which both have.
func TestShared(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module m\n\ngo 1.26\n", "lib/part.c": "int counter = 41;\nint next(void) { return ++counter; }\n",
		"main.go": "package main\n\n// #cgo LDFLAGS: -L${SRCDIR} -lpart -Wl,-rpath,${SRCDIR}\n// extern int counter;\n// int next(void);\nimport \"C\"\n\n" +
			"func main() {\n\tprintln(C.counter, C.next(), C.counter)\n\tC.counter = 7\n\tprintln(C.next())\n}\n"}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range []*exec.Cmd{exec.Command("cc", "-shared", "-fPIC", "-o", "libpart.so", "lib/part.c"),
		exec.Command(loamtest.Command(t), "build", "-o", "x", ".")} {
		cmd.Dir, cmd.Env = dir, environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if _, out, code := run(t, filepath.Join(dir, "x"), nil); code != 0 || out != "42 42 42\n8\n" {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestMistakes are errors in C, and flags that are refused.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ preamble, use, want, flags string }{
		{"int f(void) { return x; }", "C.f()", "main.go:3:23: error: use of undeclared identifier 'x'", ""},
		{"int f(void);", "C.g()", "could not determine what C.g refers to", ""},
		{"int f(void);", "C.f()", "missing function body: f (used by _cgo_", ""},
		{"#cgo LDFLAGS: -fplugin=x.so", "0", "invalid flag in #cgo LDFLAGS: -fplugin=x.so", ""},
		{"#cgo CFLAGS: -include @x", "0", "invalid flag in #cgo CFLAGS: -include @x", ""},
		{"int f(int, ...);", "C.f(1)", "unexpected type: ...", ""},
		{"int f(int x) { return x; }", `C.f("text")`,
			`cannot use "text" (untyped string constant) as _Ctype_int value in argument to (_Cfunc_f)`, ""},
		{"int f(int x) { return x; }", `C.f("text")`, `cannot use "text" (untyped string constant) as C.int value in argument to (C.f)`, "-L"},
	} {
		dir := t.TempDir()
		files := map[string]string{"go.mod": "module m\n\ngo 1.26\n",
			"main.go": "package main\n\n// " + strings.ReplaceAll(c.preamble, "\n", "\n// ") +
				"\nimport \"C\"\n\nfunc main() { println(" + c.use + ") }\n"}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(loamtest.Command(t), "build", "-o", filepath.Join(dir, "x"), "-gcflags="+c.flags, ".")
		cmd.Dir, cmd.Env = dir, environment()
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v\n%swant %s", c.preamble, err, out, c.want)
		}
		if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
			t.Errorf("%s: a program was written", c.preamble)
		}
	}
}
