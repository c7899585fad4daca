package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// loam is the command under test.
var loam string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "loam-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		defer func() { removeFmtPack() }()
		loam = os.Getenv("LOAM")
		if loam == "" {
			loam = filepath.Join(dir, "loam")
			if out, err := exec.Command(loamtest.Builder(), "build", "-o", loam, ".").CombinedOutput(); err != nil {
				fmt.Printf("%s\n", out)
				return 1
			}
		}
		return m.Run()
	}())
}

// result is how a command ended.
type result struct {
	stdout, stderr string
	code           int
}

// run runs loam in dir with extra environment settings.
func run(t *testing.T, dir string, env []string, args ...string) result {
	t.Helper()
	cmd := exec.Command(loam, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOWORK=", "PWD="+dir), env...)
	return resultOf(t, cmd)
}

// runProgram runs a program with extra environment settings.
func runProgram(t *testing.T, name string, env []string, args ...string) result {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	return resultOf(t, cmd)
}

func resultOf(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// module writes files, separated by "-- name --" lines, into a fresh directory.
func module(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, text)
	return dir
}

func write(t *testing.T, dir, text string) {
	t.Helper()
	marker := regexp.MustCompile(`(?m)^-- (\S+) --\n`)
	places := marker.FindAllStringSubmatchIndex(text, -1)
	for i, p := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		name := filepath.Join(dir, text[p[2]:p[3]])
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text[p[1]:end]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func want(t *testing.T, r result, code int, stdout, stderr string) {
	t.Helper()
	if r.code != code || r.stdout != stdout || r.stderr != stderr {
		t.Errorf("exit code %d, want %d\nstdout:\n%s--- want\n%s\nstderr:\n%s--- want\n%s", r.code, code, r.stdout, stdout, r.stderr, stderr)
	}
}

const program = `
-- go.mod --
module example.com/p

go 1.26
-- main.go --
package main

import (
	"os"

	"example.com/p/lib"
)

func main() {
	println(lib.Hello(len(os.Args)))
	if len(os.Args) > 2 {
		panic("too many")
	}
	os.Exit(len(os.Args) + 2)
}
-- lib/lib.go --
package lib

func Hello(n int) string { return greeting[n-1] }

var greeting = map[int]string{0: "hello", 1: "hello you"}
`

func TestRun(t *testing.T) {
	dir := module(t, program)
	want(t, run(t, dir, nil, "run", "."), 1, "", "hello\nexit status 3\n")
	want(t, run(t, dir, nil, "run", ".", "x"), 1, "", "hello you\nexit status 4\n")
	want(t, run(t, dir, nil, "run", "main.go"), 1, "", "hello\nexit status 3\n")
	r := run(t, dir, nil, "run", ".", "x", "y")
	if r.code != 1 || !strings.Contains(r.stderr, "panic: too many\n\ngoroutine 1 [running") ||
		!strings.HasSuffix(r.stderr, "exit status 2\n") {
		t.Errorf("panic: exit code %d, stderr:\n%s", r.code, r.stderr)
	}
}

func TestBuild(t *testing.T) {
	dir := module(t, program)
	want(t, run(t, dir, nil, "build"), 0, "", "")
	if _, err := os.Stat(filepath.Join(dir, "p")); err != nil {
		t.Error(err)
	}
	want(t, run(t, dir, nil, "build", "-o", "bin/", "./..."), 0, "", "")
	out, err := exec.Command(filepath.Join(dir, "bin", "p")).CombinedOutput()
	if string(out) != "hello\n" || err == nil {
		t.Errorf("bin/p: %v, %s", err, out)
	}
	want(t, run(t, dir, nil, "build", "-o", "x", "./..."), 1, "", "loam: cannot write multiple packages to non-directory x\n")
	left, _ := filepath.Glob(filepath.Join(dir, ".loam*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestRebuild checks what an edit recompiles: nothing for none, one package for a body, the
// importers too for a declaration.
func TestRebuild(t *testing.T) {
	dir := module(t, program)
	compiled := func() string {
		r := run(t, dir, nil, "build", "-v", "-o", "out", ".")
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		return strings.Join(strings.Fields(r.stderr), " ")
	}
	compiled()
	if got := compiled(); got != "" {
		t.Errorf("nothing changed, but compiled %s", got)
	}
	edit := func(from, to string) {
		name := filepath.Join(dir, "lib", "lib.go")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(text), from, to, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	edit(`"hello"`, `"hallo"`)
	if got := compiled(); got != "example.com/p/lib" {
		t.Errorf("body of lib changed, but compiled %q", got)
	}
	if out, _ := exec.Command(filepath.Join(dir, "out")).CombinedOutput(); string(out) != "hallo\n" {
		t.Errorf("after the edit: %q", out)
	}
	edit("package lib\n", "package lib\n\nconst More = 1\n")
	if got := compiled(); got != "example.com/p/lib example.com/p" {
		t.Errorf("declaration in lib changed, but compiled %q", got)
	}
}

// TestWarmCold checks that generic code of a cached package compiles as it does when the
// package was compiled in the same run, local types included.
func TestWarmCold(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/g

go 1.26
-- main.go --
package main

import "example.com/g/lib"

type T struct{ a, b int }

func main() {
	s := lib.New[T]()
	s.Put(T{1, 2})
	println(s.Name(), s.Len(), lib.Sum([]int{1, 2, 3}), lib.Describe(T{}), lib.Describe("x"))
}
-- lib/lib.go --
package lib

import "fmt"

type Set[E comparable] struct{ m map[E]struct{} }

func New[E comparable]() *Set[E] { return &Set[E]{m: map[E]struct{}{}} }

func (s *Set[E]) Put(e E)  { s.m[e] = struct{}{} }
func (s *Set[E]) Len() int { return len(s.m) }
func (s *Set[E]) Name() string {
	type local struct{ e E }
	return fmt.Sprintf("%T", local{})
}

func before() any { type local int; return local(1) }

func Sum[N int | float64](list []N) (sum N) {
	type local struct{ n N }
	for _, n := range list {
		sum += local{n}.n
	}
	return sum + offset[N]()
}

func offset[N int | float64]() N { return N(hidden()) }

func hidden() int { return 100 + len(fmt.Sprint(before())) }

func Describe[E any](e E) string { return fmt.Sprintf("%T", e) }
`)
	cold := run(t, dir, nil, "run", ".")
	main := filepath.Join(dir, "main.go")
	text, err := os.ReadFile(main)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(main, append(text, "\n// changed\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, dir, nil, "run", "."), 0, "", cold.stderr)
	gc := exec.Command("go", "run", ".")
	gc.Dir = dir
	out, err := gc.CombinedOutput()
	if err != nil || cold.stderr != string(out) {
		t.Errorf("loam: %sgc: %s%v", cold.stderr, out, err)
	}
}

// TestDeterministic checks that the code of a package does not depend on which other packages
// the cache had: what is compiled again after records were lost comes out the same. clang is
// replaced, so that only the front half runs.
func TestDeterministic(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/d

go 1.26
-- main.go --
package main

import (
	"encoding/json"
	"net/netip"
	"os"
)

func main() { json.NewEncoder(os.Stdout).Encode(netip.MustParseAddr("::1")) }
-- clang --
#!/bin/sh
[ "$1" = --version ] && { echo "clang version 19.1.7"; exit 0; }
for a; do last=$a; done
printf '\177ELF' > "$last"
`)
	clang, fresh := filepath.Join(dir, "clang"), t.TempDir()
	if err := os.Chmod(clang, 0o777); err != nil {
		t.Fatal(err)
	}
	texts := func() map[string]string {
		tmp := t.TempDir()
		run(t, dir, []string{"LOAM_CLANG=" + clang, "LOAMCACHE=" + fresh, "TMPDIR=" + tmp}, "build", "-work", "-o", "x", ".")
		files, err := filepath.Glob(filepath.Join(tmp, "loam-work-*", "*.ll"))
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]string{}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			m[filepath.Base(name)] = string(data)
		}
		return m
	}
	cold := texts()
	if len(cold) < 50 {
		t.Fatalf("only %d packages were compiled", len(cold))
	}
	for seed := range uint64(3) {
		records, err := filepath.Glob(filepath.Join(fresh, "obj", "*", "*.rec"))
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(seed, 1))
		for _, name := range records {
			if random.IntN(3) == 0 {
				os.Remove(name)
			}
		}
		warm := texts()
		for name, text := range warm {
			if text != cold[name] {
				t.Errorf("seed %d: %s differs%s", seed, name, firstDifference(cold[name], text))
			}
		}
		if len(warm) == 0 || len(warm) > len(cold) {
			t.Errorf("seed %d: %d packages were compiled again", seed, len(warm))
		}
	}
}

// TestErrors holds diagnostics against those of the go command.
func TestErrors(t *testing.T) {
	for name, text := range map[string]string{
		"types": `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

import "example.com/e/sub"

var y int = "s"

func main() { z := sub.F(); undefined1(); var a, b, c, d, e, f, g, h, i, j int }
-- sub/s.go --
package sub

func F() int { return 1 }
`,
		"dependency": `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

import "example.com/e/sub"

func main() { sub.F() }
-- sub/s.go --
package sub

import "os"

func F() int { x := 1; return "a" }
func F() {}
func g() int { for {} }
`,
		"ten": "-- go.mod --\nmodule example.com/e\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() {\n" +
			strings.Repeat("\t_ = none\n", 10) + "}\n",
		"first": `
-- go.mod --
module example.com/e

go 1.26
-- a.go --
package main

import "os"

func main() { x := 1; f("x") }

var w missing
-- b.go --
package main

type t struct{ next missing }

func (t) m() {}
func (t) m() {}
func f()     { a, b, c := 1, 2, 3 }
func g()     { return d, e, f, g, h, i }
func h() int {}
`,
		"debug": `
-- go.mod --
module example.com/e

go 1.26
-- a.go --
//go:debug panicnil=1
//go:debug panic nil=1
//go:debug panicnil=1,2
//go:debug panicnil
//go:debug
//go:debugger
//go:debug nosuch=1
//go:debug x509sha1=1
//go:debug panicnil=0
//go:debug default=go1.1000
//go:debug default=go1.20
//go:debug default=1.20

package main

func main() { x := 1 }
-- b.go --
  //go:debug panicnil=0

package main

//go:debug default=go1.20
`,
		"body": `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

func f()

func main() { f() }
`,
		"version": `
-- go.mod --
module example.com/e

go 1.20
-- main.go --
package main

func main() {
	for i := range 10 {
		println(i)
	}
}
`,
		"import": `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

import "no/such/package"

func main() { package.F() }
`,
		"end of file": `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

func main() { println(1, 2`,
		"embed": `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

import _ "embed"

//go:embed go.mod
var text int

func main() { println(text) }
`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, text)
			gc := exec.Command("go", "build", "-o", os.DevNull, "./...")
			gc.Dir = dir
			gc.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
			out, err := gc.CombinedOutput()
			if err == nil {
				t.Fatal("gc has no objection")
			}
			want(t, run(t, dir, nil, "build", "-o", os.DevNull, "./..."), 1, "", string(out))
		})
	}
}

// TestTools checks that what is missing is said in one line.
func TestTools(t *testing.T) {
	dir := module(t, program)
	readOnly := filepath.Join(dir, "file")
	if err := os.WriteFile(readOnly, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	old, idle := filepath.Join(dir, "bin", "clang-19"), filepath.Join(dir, "idle")
	script(t, old, "echo Debian clang version 14.0.6")
	script(t, idle, "case $1 in --version) echo LLD 19.1.0, clang version 19.1.0;; esac")
	for _, c := range []struct{ env, message string }{
		{"LOAM_CLANG=/no/such/clang", "/no/such/clang"},
		{"LOAM_LLD=/bin/true", "no LLVM version"},
		{"PATH=/bin-that-is-not", "clang-19 not found: install it"},
		{"LOAM_GO=/bin/true", "/bin/true"},
		{"LOAM_GO=" + readOnly, readOnly},
		{"LOAMROOT=" + dir, "LOAMROOT=" + dir + " is no checkout of Loam: it has no rt/sched"},
		{"LOAMCACHE=cache", "LOAMCACHE=cache is not an absolute path"},
		{"LOAM_CLANG=" + old, old + " is LLVM 14, but 19 or newer is needed"},
		{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"),
			filepath.Join(dir, "bin", "clang-19") + " is LLVM 14, but 19 or newer is needed"},
		{"LOAM_CLANG=" + idle, idle + " ended without an error, but wrote no object file"},
		{"LOAM_LLD=" + idle, idle + " ended without an error, but wrote no program"},
		{"LOAMCACHE=" + filepath.Join(readOnly, "cache"), "cannot use the cache"},
		{"GOAMD64=v9", "GOAMD64=v9"},
	} {
		r := run(t, dir, []string{c.env}, "build", "-o", "x", ".")
		if r.code == 0 || !strings.Contains(r.stderr, c.message) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %s", c.env, r.code, r.stderr)
		}
	}
	for _, args := range [][]string{{"build", "-msan", "."}, {"help", "x"}, {"help", "build", "x"}, {"build", "-linkshared"}} {
		if r := run(t, dir, nil, args...); r.code != 2 || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %s", args, r.code, r.stderr)
		}
	}
}

// TestKilled checks that builds at the same time, and builds that are killed at any moment,
// leave a cache that works.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the runtime into an empty cache")
	}
	dir := module(t, program)
	fresh := []string{"LOAMCACHE=" + t.TempDir()}
	for _, after := range []time.Duration{300, 900, 2000, 4000} {
		cmd := exec.Command(loam, "build", "-o", "killed", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), fresh...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	}
	var both sync.WaitGroup
	for i := range 2 {
		both.Go(func() {
			out := fmt.Sprintf("out%d", i)
			if r := run(t, dir, fresh, "build", "-o", out, "."); r.code != 0 {
				t.Errorf("build %d: %s", i, r.stderr)
			}
			if got, _ := exec.Command(filepath.Join(dir, out)).CombinedOutput(); string(got) != "hello\n" {
				t.Errorf("build %d: %q", i, got)
			}
		})
	}
	both.Wait()
	want(t, run(t, dir, fresh, "clean", "-cache"), 0, "", "")
	if left, err := os.ReadDir(strings.TrimPrefix(fresh[0], "LOAMCACHE=")); err != nil || len(left) > 0 {
		t.Errorf("clean left %v, %v", left, err)
	}
}

// firstDifference shows the first lines in which two texts differ.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf(" in line %d:\n%.300s\n%.300s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf(": %d and %d lines", len(x), len(y))
}

// TestEnv: names that are loam's own, and others, which have go env's value.
func TestEnv(t *testing.T) {
	cache := t.TempDir()
	r := run(t, t.TempDir(), []string{"LOAMCACHE=" + cache, "CGO_ENABLED=1"}, "env", "LOAMCACHE", "GOOS", "CGO_ENABLED", "NO_SUCH_NAME")
	if want := cache + "\nlinux\n1\n\n"; r.stdout != want || r.code != 0 {
		t.Errorf("got %q and %d, want %q; %s", r.stdout, r.code, want, r.stderr)
	}
}
