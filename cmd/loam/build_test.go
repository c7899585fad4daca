package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestBuildInfo holds what programs say about their build against gc's: module, settings,
// the commit and the version that follows from it.
func TestBuildInfo(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.25
-- main.go --
package main

import (
	"os"
	"runtime/debug"
)

func main() {
	info, _ := debug.ReadBuildInfo()
	os.Stdout.WriteString(info.String())
}
`)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "one")
	own := regexp.MustCompile(`\t?build\t(-compiler|CGO_|-O=instant).*\n`)
	out := filepath.Join(t.TempDir(), "out")
	for _, step := range []string{"", "dirty", "v1.2.3", "later"} {
		switch step {
		case "dirty":
			write(t, dir, "-- new --\n")
		case "v1.2.3":
			git("add", ".")
			git("commit", "-qm", "two")
			git("tag", step)
		case "later":
			git("commit", "--allow-empty", "-qm", "three")
		}
		want(t, run(t, dir, []string{"LOAMOPT=instant"}, "build", "-buildvcs=true", "-tags=a b", "-trimpath", "-o", out, "."), 0, "", "")
		program, err := exec.Command(out).Output()
		if err != nil {
			t.Fatal(err)
		}
		info, err := exec.Command("go", "version", "-m", out).Output()
		if err != nil {
			t.Fatal(err)
		}
		gc := exec.Command("go", "build", "-buildvcs=true", "-tags=a b", "-trimpath", "-o", out, ".")
		gc.Dir = dir
		gc.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
		if text, err := gc.CombinedOutput(); err != nil {
			t.Fatalf("%s", text)
		}
		gcInfo, err := exec.Command("go", "version", "-m", out).Output()
		if err != nil {
			t.Fatal(err)
		}
		plain := func(s []byte) string { return strings.TrimSpace(own.ReplaceAllString(string(s), "")) }
		if got, want := plain(info), plain(gcInfo); got != want {
			t.Errorf("step %q:\n%s\n--- want\n%s", step, got, want)
		}
		gcProgram, _ := exec.Command(out).Output()
		if got, want := plain(program), plain(gcProgram); got != want {
			t.Errorf("step %q, ReadBuildInfo:\n%s\n--- want\n%s", step, got, want)
		}
	}
}

// TestBuildInfoOfTests holds what test programs say about their build against what gc's say, which
// in Go 1.26 is often what the program under test says.
func TestBuildInfoOfTests(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/m

go 1.26

require (
	example.com/d v1.0.0
	example.com/e v1.0.0
)

replace (
	example.com/d => ./d
	example.com/e => ./e
)
-- d/go.mod --
module example.com/d

go 1.26
-- d/d.go --
package d
-- e/go.mod --
module example.com/e

go 1.26
-- e/e.go --
package e
-- main/main.go --
package main

import _ "example.com/d"

func main() {}
-- main/a_test.go --
package main

import _ "example.com/e"
-- external/main.go --
package main

func main() {}
-- external/a_test.go --
package main_test

import _ "example.com/e"
-- debug/main.go --
package main

func main() {}
-- debug/a_test.go --
//go:debug panicnil=1

package main

import _ "example.com/e"
-- lib/lib.go --
package lib
-- lib/lib_test.go --
package lib

import _ "example.com/e"
`)
	own := regexp.MustCompile(`build\t(-compiler|CGO_).*\n`)
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		for _, name := range []string{"main", "external", "debug", "lib"} {
			info := map[string]string{}
			for _, compiler := range []string{"go", loam} {
				out := filepath.Join(t.TempDir(), "out")
				cmd := exec.Command(compiler, "test", "-c", "-o", out, "./"+name)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
				if text, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", compiler, err, text)
				}
				text, err := exec.Command("go", "version", "-m", out).Output()
				if err != nil {
					t.Fatal(err)
				}
				_, text, _ = bytes.Cut(text, []byte("\n"))
				info[compiler] = own.ReplaceAllString(string(text), "")
			}
			if info[loam] != info["go"] {
				t.Errorf("%s:\n%s\nwant\n%s", name, info[loam], info["go"])
			}
		}
	})
}

// TestTrimPath checks that no directory is in a program, and that errors name it all the same.
func TestTrimPath(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/t

go 1.26
-- main.go --
package main

import (
	"runtime"

	"example.com/t/sub"
)

func main() {
	_, file, _, _ := runtime.Caller(0)
	println(file, sub.File(), runtime.GOROOT())
}
-- sub/s.go --
package sub

import "runtime"

func File() string {
	_, file, _, _ := runtime.Caller(0)
	return file
}
`)
	want(t, run(t, dir, []string{"GOROOT="}, "run", "-trimpath", "."), 0, "", "example.com/t/main.go example.com/t/sub/s.go \n")
	if r := run(t, dir, nil, "build", "-trimpath", "-o", "out", "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	program, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(program), dir) {
		t.Errorf("the program has %s in it", dir)
	}
	write(t, dir, "-- sub/s.go --\npackage sub\n\nfunc File() string { return 1 }\n")
	want(t, run(t, dir, nil, "build", "-trimpath", "."), 1, "",
		"# example.com/t/sub\nsub/s.go:3:29: cannot use 1 (untyped int constant) as string value in return statement\n")
}

// TestOverlay checks -overlay: other content under the old name.
func TestOverlay(t *testing.T) {
	dir := module(t, program)
	write(t, dir, `
-- new/other.go --
package lib

func Hello(n int) string { return "other" }
-- new/broken.go --
package lib

func Hello(n int) string { return n }
-- good.json --
{"Replace": {"lib/lib.go": "new/other.go"}}
-- bad.json --
{"Replace": {"lib/lib.go": "new/broken.go"}}
`)
	write(t, dir, `
-- embed/main.go --
package main

import "embed"

//go:embed data
var data embed.FS

//go:embed text
var text string

func main() {
	_, gone := data.ReadFile("data/gone")
	added, err := data.ReadFile("data/added")
	print(text, string(added), gone != nil, err == nil)
}
-- embed/text --
old
-- embed/data/gone --
-- new/text --
new
-- new/added --
added
-- embed.json --
{"Replace": {"embed/text": "new/text", "embed/data/added": "new/added", "embed/data/gone": ""}}
`)
	want(t, run(t, dir, nil, "run", "-overlay=embed.json", "./embed"), 0, "", "new\nadded\ntruetrue")
	write(t, dir, "-- new/text --\nnewer\n")
	want(t, run(t, dir, nil, "run", "-overlay=embed.json", "./embed"), 0, "", "newer\nadded\ntruetrue")
	want(t, run(t, dir, nil, "run", "-overlay=good.json", "./main.go"), 1, "", "other\nexit status 3\n")
	want(t, run(t, dir, nil, "build", "-overlay=bad.json", "."), 1, "",
		"# example.com/p/lib\nlib/lib.go:3:35: cannot use n (variable of type int) as string value in return statement\n")
}

// TestInstall checks where programs go.
func TestInstall(t *testing.T) {
	dir, bin := module(t, program), t.TempDir()
	want(t, run(t, dir, []string{"GOBIN=" + bin}, "install", "./..."), 0, "", "")
	if _, err := os.Stat(filepath.Join(bin, "p")); err != nil {
		t.Error(err)
	}
	want(t, run(t, dir, []string{"GOBIN=bin"}, "install", "."), 1, "", "cannot install, GOBIN must be an absolute path\n")
	want(t, run(t, dir, nil, "mod", "tidy"), 0, "", "")
	want(t, run(t, dir, nil, "build", "-p=0"), 1, "", "loam: -p must be a positive integer: 0\n")
}

// TestOtherPrograms: programs are linked beside one that does not compile, and one whose place is
// taken.
func TestOtherPrograms(t *testing.T) {
	t.Parallel()
	const good = "package main\n\nfunc main() { println(1) }\n"
	dir := module(t, "-- go.mod --\nmodule example.com/e\n\ngo 1.26\n-- a/a.go --\npackage main\n\nfunc main() { x }\n-- b/b.go --\n"+good+
		"-- c/c.go --\n"+good+"-- bin/b --\nnotes\n")
	want(t, run(t, dir, nil, "build", "-o", "bin", "./..."), 1, "", "# example.com/e/a\na/a.go:3:15: undefined: x\n"+
		"loam: build output \"bin/b\" already exists and is not an object file\n")
	if out, err := exec.Command(filepath.Join(dir, "bin", "c")).CombinedOutput(); string(out) != "1\n" {
		t.Errorf("bin/c: %v, %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "bin", "a")); err == nil {
		t.Error("a program that does not compile was linked")
	}
}

// TestOutputInTheWay: a file that is no program is not overwritten, whether -o names it or it has
// the program's name.
func TestOutputInTheWay(t *testing.T) {
	t.Parallel()
	dir := module(t, program+"-- p --\nnotes\n-- lib/lib_test.go --\npackage lib\n-- lib.test/x --\n")
	const inTheWay = "build output %q already exists and is not an object file\n"
	want(t, run(t, dir, nil, "build", "-o", "main.go", "main.go"), 1, "", "loam: "+fmt.Sprintf(inTheWay, "main.go"))
	want(t, run(t, dir, nil, "build"), 1, "", "loam: "+fmt.Sprintf(inTheWay, "p"))
	want(t, run(t, dir, nil, "test", "-c", "-o", "go.mod", "./lib"), 1, "", "# example.com/p/lib\n"+fmt.Sprintf(inTheWay, "go.mod"))
	want(t, run(t, dir, nil, "test", "-c", "./lib"), 1, "",
		"# example.com/p/lib\nbuild output \"lib.test\" already exists and is a directory\n")
	if r := run(t, dir, nil, "test", "-o", "go.mod", "./lib"); r.code != 1 || r.stderr != "loam: "+fmt.Sprintf(inTheWay, "go.mod") {
		t.Errorf("test -o go.mod: %d, %s", r.code, r.stderr)
	}
	for name, begin := range map[string]string{"main.go": "package main", "p": "notes", "go.mod": "module"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); !strings.HasPrefix(string(text), begin) {
			t.Errorf("%s is overwritten: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "p"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, dir, nil, "build"), 0, "", "")
	want(t, run(t, dir, nil, "build"), 0, "", "")
}

// TestDiscarded wants programs that are not written to be linked: once, and not again while they
// stay the same.
func TestDiscarded(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/d

go 1.26
-- good/good.go --
package main

func main() {}
-- lib/lib.go --
package lib
-- none/none.go --
package main
-- pulled/pulled.go --
package main

import _ "unsafe"

//go:linkname absent example.com/d/lib.absent
func absent()

func main() { absent() }
-- pulled/empty.s --
`)
	none := "# example.com/d/none\nruntime.main_main·f: function main is undeclared in the main package\n"
	pulled := "# example.com/d/pulled\nmissing function body: example.com/d/lib.absent (used by main.main)\n"
	want(t, run(t, dir, nil, "build", "./..."), 1, "", none+pulled)
	want(t, run(t, dir, nil, "build", "-o", os.DevNull, "./none"), 1, "", none)
	linked := func(args ...string) bool {
		t.Helper()
		r := run(t, dir, nil, append([]string{"build", "-x"}, args...)...)
		if r.code != 0 {
			t.Error(r)
		}
		return strings.Contains(r.stderr, "ld.lld")
	}
	if err := os.WriteFile(filepath.Join(dir, "good", "new.go"),
		fmt.Appendf(nil, "package main\nvar now = %d\nfunc init() { println(now) }\n", time.Now().UnixNano()), 0o666); err != nil {
		t.Fatal(err)
	}
	if !linked("./good", "./lib") || linked("./good", "./lib") {
		t.Error("the program is linked otherwise than once")
	}
}

// TestTestsOnly: a package without sources is nothing to build, and an error by name.
func TestTestsOnly(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/e\n\ngo 1.26\n-- a.go --\npackage e\n-- sub/a_test.go --\npackage sub\n")
	if r := run(t, dir, nil, "build", "./..."); r.code != 0 || r.stderr != "" {
		t.Errorf("./...: %d, %s", r.code, r.stderr)
	}
	want(t, run(t, dir, nil, "build", "./sub"), 1, "", "example.com/e/sub: no non-test Go files in "+filepath.Join(dir, "sub")+"\n")
}

// TestEmbeddedNames: the names of embedded files below the package's directory are part of what is
// built; an empty one is no nil slice.
func TestEmbeddedNames(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/e

go 1.26
-- main.go --
package main

import "embed"

//go:embed data
var data embed.FS

//go:embed empty
var empty []byte

func main() {
	_, err := data.ReadFile("data/one/x")
	println(err == nil, empty == nil)
}
-- data/one/x --
text
-- empty --
`)
	want(t, run(t, dir, nil, "run", "."), 0, "", "true false\n")
	if err := os.Rename(filepath.Join(dir, "data/one"), filepath.Join(dir, "data/two")); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, dir, nil, "run", "."), 0, "", "false false\n")
}

// TestNoGoVersion: a module that names no version of Go is written in Go 1.16, where a loop has one
// variable for all rounds.
func TestNoGoVersion(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/p

go 1.26

require example.com/old v0.0.0

replace example.com/old => ./old
-- main.go --
package main

import "example.com/old"

func main() { println(old.Last()) }
-- old/go.mod --
module example.com/old
-- old/old.go --
package old

func Last() int {
	var first func() int
	for i := 0; i < 3; i++ {
		if i == 0 {
			first = func() int { return i }
		}
	}
	return first()
}
`)
	want(t, run(t, dir, nil, "run", "."), 0, "", "3\n")
}

// TestMainUnderTest: the types of a main package are the program's "main" only in the program.
func TestMainUnderTest(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

import "reflect"

type T struct{}

func Path() string { return reflect.TypeOf(T{}).PkgPath() }

func main() { println(Path()) }
-- main_test.go --
package main

import "testing"

func TestPath(t *testing.T) {
	if p := Path(); p != "example.com/m" {
		t.Error(p)
	}
}
`)
	want(t, run(t, dir, nil, "run", "."), 0, "", "main\n")
	if r := run(t, dir, nil, "test", "."); r.code != 0 {
		t.Error(r.stdout, r.stderr)
	}
}

// TestMainImported: the external tests of a main package may import it, and call functions that
// make objects for their callers.
func TestMainImported(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/m

go 1.26
-- main.go --
package main

type Pair struct{ a, b int }

func NewPair(a int) *Pair { return &Pair{a, a + 1} }

func (p *Pair) Sum() int { return p.a + p.b }

func main() {}
-- main_test.go --
package main_test

import (
	"testing"

	m "example.com/m"
)

func TestSum(t *testing.T) {
	if n := m.NewPair(4).Sum(); n != 9 {
		t.Error(n)
	}
}
`)
	if r := run(t, dir, nil, "test", "."); r.code != 0 {
		t.Error(r.stdout, r.stderr)
	}
}

// TestPathOfLLVM: the symbols of a package llvm are not LLVM's.
func TestPathOfLLVM(t *testing.T) {
	dir := module(t, `
-- go.mod --
module llvm

go 1.26
-- llvm.go --
package llvm

type T struct{ n int }

var used = []int{1, 2}

func (t *T) Get() int { return t.n + used[1] }

func New(n int) *T { return &T{n} }

func Pair[A any](a, b A) [2]A { return [2]A{a, b} }
-- cmd/main.go --
package main

import "llvm"

type getter interface{ Get() int }

func main() {
	var g getter = llvm.New(4)
	println(g.Get(), llvm.Pair(1, 2)[1])
}
`)
	want(t, run(t, dir, nil, "run", "./cmd"), 0, "", "6 2\n")
}

// TestDottedPath: dots of a path's last element are escaped in symbols, as names in tracebacks
// show. Here a method and a function would have the same symbol.
func TestDottedPath(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/d

go 1.26
-- main.go --
package main

import (
	"runtime"
	_ "unsafe"

	"example.com/d/a"
	b "example.com/d/a.b"
)

//go:linkname hidden example.com/d/a%2eb.hidden
func hidden() string

func main() {
	println(a.New().C(), b.C(), hidden(), b.Add(1, 2), b.Version)
	println(runtime.FuncForPC(b.PC()).Name())
}
-- a/a.go --
package a

type b int

func New() b { return 1 }

//go:noinline
func (b) C() string { return "method" }
-- a.b/b.go --
package b

import "runtime"

var Version, base = "none", 4

//go:noinline
func C() string { return "function" }

//go:noinline
func hidden() string { return "hidden" }

func Add(x, y int) int

func twice(x int) int { return 2 * x }

func PC() uintptr {
	pc, _, _, _ := runtime.Caller(0)
	return pc
}
-- a.b/b.s --
TEXT ·Add(SB),0,$16-24
	MOVQ x+0(FP), AX
	ADDQ y+8(FP), AX
	ADDQ ·base(SB), AX
	MOVQ AX, 0(SP)
	CALL ·twice(SB)
	MOVQ 8(SP), AX
	MOVQ AX, ret+16(FP)
	RET
`)
	want(t, run(t, dir, nil, "run", "-ldflags=-X example.com/d/a.b.Version=7", "."), 0, "",
		"method function hidden 14 7\nexample.com/d/a%2eb.PC\n")
}

// TestLinkVariables sets variables that cannot be set: only those of type string have room for one.
func TestLinkVariables(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.com/p

go 1.26
-- main.go --
package main

import "fmt"

type text string

var (
	a, b  = "a", fmt.Sprint("b")
	named text
	n     = 5
	pair  [2]string
)

const c = "c"

func f() {}

func main() {
	f()
	fmt.Println(a, b, c, named, n, pair)
}
`)
	const set = "-ldflags=-X main.a=1 -X main.b=2 -X main.c=3 -X main.none=4 -X none.a=5"
	want(t, run(t, dir, nil, "run", set, "."), 0, "1 b c  5 [ ]\n", "")
	want(t, run(t, dir, nil, "run", set+` -s=false -buildid=x -linkmode internal -extldflags "-static -pie"`, "."), 0, "1 b c  5 [ ]\n", "")
	want(t, run(t, dir, nil, "run", set+` -linkmode=external -extldflags '-Wl,-z,now "-static"'`, "."), 0, "1 b c  5 [ ]\n", "")
	if r := run(t, dir, nil, "build", "-ldflags=-linkmode=outside", "."); r.code != 2 ||
		!strings.Contains(r.stderr, `-linkmode: invalid linkmode: "outside"`) {
		t.Errorf("-linkmode=outside: %d, %s", r.code, r.stderr)
	}
	for _, name := range []string{"named", "n", "pair", "f", "main"} {
		want(t, run(t, dir, nil, "build", set+" -X main."+name+"=6", "."), 1, "",
			"# example.com/p\nmain."+name+": cannot set with -X: not a var of type string\n")
	}
}

// TestRunPatterns runs the one main package of a pattern, and names a file that is not there.
func TestRunPatterns(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.com/p

go 1.26
-- main.go --
package main

import "example.com/p/q"

func main() { println(q.N) }
-- q/q.go --
package q

const N = 3
`)
	want(t, run(t, dir, nil, "run", "./..."), 0, "", "3\n")
	want(t, run(t, dir, nil, "run", "main.go", "none.go"), 1, "", "stat none.go: no such file or directory\n")
	write(t, dir, `
-- r/r.go --
package main

func main() {}
`)
	want(t, run(t, dir, nil, "run", "./..."), 1, "", "loam: pattern ./... matches multiple packages:\n\texample.com/p\n\texample.com/p/r\n")
}

// TestLevelOfGOENV: a level that 'go env -w' has written counts, which a wrong one shows.
func TestLevelOfGOENV(t *testing.T) {
	t.Parallel()
	dir := module(t, program+"-- env --\nGOAMD64=v9\n")
	want(t, run(t, dir, []string{"GOENV=" + filepath.Join(dir, "env"), "GOAMD64="}, "build", "."), 1, "",
		"loam: GOAMD64=v9: want v1, v2, v3 or v4\n")
}
