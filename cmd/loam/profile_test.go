package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"loam/internal/pgo/pgotest"
)

// guided is a module of two programs that share packages.
const guided = `
-- go.mod --
module ex

go 1.26
-- a/main.go --
package main

import "ex/d"

func main() { println(d.F(3)) }
-- a/main_test.go --
package main

import "testing"

func TestA(t *testing.T) {}
-- b/main.go --
package main

import (
	"ex/d"
	"ex/e"
)

func main() { println(d.F(4), e.F(5)) }
-- d/d.go --
package d

func F(n int) int { return clumsy(n, 2) }

func clumsy(x, y int) int {
` + bigBegins + `	a, b, c := x&7, y&15, (x+y)&31
	return a*b + b*c + c*a + x - y + (x ^ y) + (a << 3) + (b >> 1) - c*c
}
-- d/d_test.go --
package d

import "testing"

func TestD(t *testing.T) {}
-- e/e.go --
package e

func F(n int) int { return n }
-- empty --
-- text --
no profile
`

// profile writes a profile of these stacks (pgotest) into a file.
func profile(t *testing.T, file, stacks string) {
	t.Helper()
	if err := os.WriteFile(file, pgotest.Encode(stacks), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestProfileErrors holds what loam says of profiles that cannot be used against the go command's
// words and exit codes.
func TestProfileErrors(t *testing.T) {
	dir := module(t, guided)
	cut := filepath.Join(dir, "cut")
	profile(t, cut, "1 ex/d.clumsy+1 ex/d.F+0")
	data, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"build", "-o", os.DevNull, "-pgo=none", "./a"},
		{"build", "-o", os.DevNull, "-pgo=text", "./a"},
		{"build", "-o", os.DevNull, "-pgo=cut", "./a"},
		{"build", "-o", os.DevNull, "-pgo=d", "./a"},
		{"build", "-pgo=none", "./d"},
		{"build", "-pgo=empty", "./d"},
		{"run", "-pgo=none", "./a"},
		{"test", "-pgo=none", "./d"},
		{"vet", "-pgo=none", "./d"},
		{"list", "-pgo=none", "./d"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Run()
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			want(t, run(t, dir, nil, args...), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String())
		})
	}
}

// bigBegins is how functions of x and y begin that are not inlined unless a profile calls them hot.
const bigBegins = `	if x > y {
		x, y = y, x
	}
	for i := range 3 {
		x = x*31 + y*17 + i
		y ^= x >> 3
		if y&1 == 0 {
			x += y * 5
		} else {
			x -= y * 7
		}
	}
`

// TestProfileChoice: -pgo=auto takes the default.pgo of each main package, a file holds for all,
// and programs say so as gc's do.
func TestProfileChoice(t *testing.T) {
	dir := module(t, guided)
	profile(t, filepath.Join(dir, "a/default.pgo"), "1 ex/d.clumsy+1 ex/d.F+0")
	profile(t, filepath.Join(dir, "other.pgo"), "1 ex/d.clumsy+1 ex/d.F+0")
	inPlan := regexp.MustCompile(`modinfo (".*")`)
	for _, c := range []struct {
		args  []string
		names []string // of the programs, in the order of the go command's plan
	}{
		{[]string{"build", "-o", "out/", "./a", "./b"}, []string{"out/a", "out/b"}},
		{[]string{"build", "-o", "out/", "-pgo=auto", "-trimpath", "./a"}, []string{"out/a"}},
		{[]string{"build", "-o", "out/", "-pgo=off", "./a"}, []string{"out/a"}},
		{[]string{"build", "-o", "out/", "-pgo=other.pgo", "./..."}, []string{"out/a", "out/b"}},
		{[]string{"test", "-c", "-o", "out/", "./a"}, []string{"out/a.test"}},
	} {
		plan := exec.Command("go", slices.Insert(slices.Clone(c.args), 1, "-n")...)
		plan.Dir = dir
		plan.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
		text, err := plan.CombinedOutput()
		if err != nil {
			t.Fatalf("%s", text)
		}
		gc := map[string]string{}
		for _, m := range inPlan.FindAllStringSubmatch(string(text), -1) {
			info, err := strconv.Unquote(m[1])
			if err != nil {
				t.Fatal(err)
			}
			path, _, _ := strings.Cut(info[strings.Index(info, "path\tex/")+len("path\tex/"):], "\n")
			gc[strings.TrimSuffix(path, ".test")] = setting(info)
		}
		if r := run(t, dir, nil, c.args...); r.code != 0 {
			t.Fatalf("%v: %s", c.args, r.stderr)
		}
		for _, name := range c.names {
			info, err := exec.Command("go", "version", "-m", filepath.Join(dir, name)).CombinedOutput()
			if err != nil {
				t.Fatalf("%s", info)
			}
			want, planned := gc[strings.TrimSuffix(filepath.Base(name), ".test")]
			if got := setting(string(info)); !planned || got != want {
				t.Errorf("%v: %s says %q, gc's %q", c.args, name, got, want)
			}
		}
	}
}

// setting is the line about a profile in what a program says of its build.
func setting(info string) string {
	for line := range strings.Lines(info) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "build\t-pgo=") {
			return line
		}
	}
	return ""
}

// TestProfileKey: a change of a profile compiles the packages that it says something of, and those
// that may have their code, and no others.
func TestProfileKey(t *testing.T) {
	dir := module(t, guided)
	compiled := func(args ...string) []string {
		t.Helper()
		r := run(t, dir, nil, append([]string{"build", "-v", "-o", os.DevNull}, args...)...)
		if r.code != 0 {
			t.Fatalf("%s", r.stderr)
		}
		list := strings.Fields(r.stderr)
		slices.Sort(list)
		return list
	}
	main := "ex/b"
	compiled("./b")
	for _, c := range []struct {
		stacks string
		want   []string
	}{
		{"1 ex/d.clumsy+1 ex/d.F+0", []string{main, "ex/d"}},
		{"7 ex/d.clumsy+1 ex/d.F+0", nil},                          // the same calls are hot
		{"7 ex/d.clumsy+1 ex/d.F+0\n1 os.write+1 os.Write+1", nil}, // so far not 99 %
		{"7 ex/d.clumsy+1 ex/d.F+0\n7 x/y.f+1 x/y.g+1", nil},       // elsewhere
		{"7 ex/e.f+1 ex/e.F+1", []string{main, "ex/e"}},
		{"7 ex/e.F+0 ex/x.f+1", []string{main, "ex/e"}}, // e lends it
	} {
		profile(t, filepath.Join(dir, "b/default.pgo"), c.stacks)
		if list := compiled("./b"); !slices.Equal(list, c.want) {
			t.Errorf("%q compiles %v, want %v", c.stacks, list, c.want)
		}
	}
}

// TestProfileMessages holds what -gcflags=-m says of calls that a profile has inlined, and guessed,
// against gc's words for the same profile.
func TestProfileMessages(t *testing.T) {
	dir := module(t, guided)
	profile(t, filepath.Join(dir, "hot.pgo"), "1 ex/d.clumsy+1 ex/d.F+0")
	for _, tool := range []string{"go", loam} {
		for _, pgo := range []string{"off", "hot.pgo"} {
			cmd := exec.Command(tool, "build", "-gcflags=-m", "-pgo="+pgo, "./d")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s", out)
			}
			if got, want := strings.Contains(string(out), "d/d.go:3:34: inlining call to clumsy\n"), pgo != "off"; got != want {
				t.Errorf("%s -pgo=%s: inlined is %v:\n%s", tool, pgo, got, out)
			}
		}
	}
}

// TestProfileAcross: hot calls of big functions of other packages are inlined as gc does, and with
// them what they call hot. Other calls of such functions are not.
func TestProfileAcross(t *testing.T) {
	big := func(name, then string) string {
		return "func " + name + "(x, y int) int {\n" + bigBegins + `outer:
	for i := range 7 {
		for j := range 5 {
			if (i*x+j*y)%13 == 3 {
				continue outer
			}
			y += i ^ j
		}
	}
	return x*7 + y*11 - (x ^ y) + ` + then + `
}
`
	}
	dir := module(t, `
-- go.mod --
module ex

go 1.26
-- main.go --
package main

import "ex/d"

func main() {
	println(d.Hot(3, 4))
	println(d.Cold(3, 4))
	println(new(d.T).Method(5, 6))
}
-- d/d.go --
package d

import "ex/e"

type T struct{ n int }

`+big("Hot", "e.Deep(x, y)")+big("Cold", "e.Deep(x, y)")+big("(t *T) Method", "t.n")+`
-- e/e.go --
package e

`+big("Deep", "hidden(x)")+`
func hidden(x int) int { return x * 3 }
`)
	profile(t, filepath.Join(dir, "hot.pgo"), `
50 ex/d.Hot+1 main.main+1
49 ex/d.(*T).Method+1 main.main+3
48 ex/e.Deep+1 ex/d.Hot+22
`)
	var texts []string
	for _, tool := range []string{"go", loam} {
		cmd := exec.Command(tool, "build", "-gcflags=-m", "-pgo=hot.pgo", "-o", os.DevNull, ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s", out)
		}
		var inlined []string
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, "inlining call") {
				inlined = append(inlined, line)
			}
		}
		slices.Sort(inlined)
		texts = append(texts, strings.Join(inlined, ""))
	}
	const deep = "./main.go:6:15: inlining call to e.Deep\n./main.go:6:15: inlining call to e.hidden\n"
	if !strings.Contains(texts[0], "Hot") || strings.Replace(texts[1], deep, "", 1) != texts[0] || !strings.Contains(texts[1], deep) {
		t.Errorf("gc inlines\n%sLoam inlines\n%s", texts[0], texts[1])
	}
	plain := run(t, dir, nil, "run", "-pgo=off", ".")
	want(t, run(t, dir, nil, "run", "-pgo=hot.pgo", "."), 0, plain.stdout, plain.stderr)
}

// TestProfileGuess: a call that guesses its callee does what it would without a profile when the
// guess is right, when it is wrong, and when there is nothing to call: the panic is where it was.
func TestProfileGuess(t *testing.T) {
	dir := module(t, `
-- go.mod --
module ex

go 1.26
-- main.go --
package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

type shape interface{ area(k int) (int, string) }
type square struct{ side int }
type circle struct{ r int }

func (s *square) area(k int) (int, string) { return s.side*s.side + k, "square" }
func (c circle) area(k int) (int, string)  { return 3*c.r*c.r - k, "circle" }

func measure(s shape) (int, string) {
	n, name := s.area(7)
	return n, name
}

func double(x int) int { return x + x }
func triple(x int) int { return 3 * x }

func apply(f func(int) int) int {
	return f(5)
}

func try(what string, f func()) {
	defer func() {
		r := recover()
		for _, line := range strings.Split(string(debug.Stack()), "\n") {
			if _, at, ok := strings.Cut(line, "main.go:"); ok && r != nil {
				place, _, _ := strings.Cut(at, " ")
				fmt.Println(what, r, place)
			}
		}
	}()
	f()
}

func main() {
	fmt.Println(measure(&square{3}))
	fmt.Println(measure(circle{3}))
	fmt.Println(measure(&circle{4}))
	fmt.Println(apply(double), apply(triple), apply(func(x int) int { return x - 1 }))
	try("interface", func() { measure(nil) })
	try("pointer", func() { measure((*square)(nil)) })
	try("func", func() { apply(nil) })
}
`)
	profile(t, filepath.Join(dir, "guess.pgo"), `
50 main.(*square).area+0 main.measure+1
49 main.double+0 main.apply+1
`)
	plain := run(t, dir, nil, "run", "-pgo=off", ".")
	guided := run(t, dir, nil, "run", "-pgo=guess.pgo", ".")
	if plain.code != 0 || !strings.Contains(plain.stdout, "interface runtime error") {
		t.Fatalf("%s%s", plain.stdout, plain.stderr)
	}
	want(t, guided, 0, plain.stdout, plain.stderr)
	for _, tool := range []string{"go", loam} {
		cmd := exec.Command(tool, "build", "-gcflags=-m", "-pgo=guess.pgo", "-o", os.DevNull, ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s", out)
		}
		for _, line := range []string{
			"./main.go:17:19: PGO devirtualizing interface call s.area to (*square).area\n",
			"./main.go:25:10: PGO devirtualizing function call f to double\n",
		} {
			if !strings.Contains(string(out), line) {
				t.Errorf("%s does not say %q:\n%s", tool, line, out)
			}
		}
	}
}
