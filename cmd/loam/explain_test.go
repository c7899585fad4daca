package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gcExplains returns what gc says with -gcflags=-m of the program in dir, which it writes to out.
func gcExplains(t *testing.T, dir, out string) string {
	t.Helper()
	cmd := exec.Command("go", "build", "-gcflags=-m", "-o", out, ".")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text)
}

// TestExplainInlining holds the calls that -gcflags=-m says are inlined against gc's: the same
// lines and columns for calls that both inline, none for one that neither does.
func TestExplainInlining(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.25
-- main.go --
package main

import "strings"

type point struct{ x, y int }

func (p *point) sum() int { return p.x + p.y }

func (p point) twice() point { return point{2 * p.x, 2 * p.y} }

func add(a, b int) int { return a + b }

func both(a int) int { return add(a, add(a, 1)) }

func unused(a int) int { return a }

func same[T any](x T) T { return x }

//go:noinline
func outside(a int) int { return a + 1 }

func main() {
	p := &point{1, 2}
	q := p.twice()
	print(add(1, outside(2)), p.sum(), q.sum(), same(4))
	f := func(x int) int { return x * x }
	print(f(outside(4)), both(outside(5)))
	var b strings.Builder
	println(b.Len())
}
`)
	out := filepath.Join(t.TempDir(), "out")
	about := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "./")
			// gc names shapes
			if strings.HasPrefix(line, "main.go:") && strings.Contains(line, "inlin") && !strings.Contains(line, "[") {
				list = append(list, line)
			}
		}
		return list
	}
	gc := gcExplains(t, dir, out)
	r := run(t, dir, nil, "build", "-gcflags=-m", "-o", out, ".")
	if r.code != 0 {
		t.Fatal(r.stderr)
	}
	got := about(r.stderr)
	wanted := map[string]bool{}
	for _, line := range about(gc) {
		wanted[line] = true
	}
	for _, line := range got {
		if !wanted[line] {
			t.Errorf("gc does not say %q", line)
		}
		delete(wanted, line)
	}
	for line := range wanted {
		t.Errorf("missing: %s", line)
	}
}

// TestExplainDirect holds the calls through interfaces that -gcflags=-m says are direct against
// gc's.
func TestExplainDirect(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.25
-- main.go --
package main

import "bytes"

type shape interface{ area(k int) int }

type square struct{ side int }

func (s *square) area(k int) int { return s.side*s.side + k }

type circle struct{ r int }

func (c circle) area(k int) int { return 3*c.r*c.r + k }

func measure(s shape) int { return s.area(7) }

func newShape() shape { return &square{3} }

//go:noinline
func unknown(s shape) int { return s.area(1) }

func main() {
	var s shape = circle{3}
	n := newShape()
	var w interface{ Len() int } = new(bytes.Buffer)
	println(measure(circle{2}), measure(&circle{4}), s.area(3), n.area(4), w.Len(), unknown(s))
}
`)
	out := filepath.Join(t.TempDir(), "out")
	about := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			if strings.Contains(line, "devirtualizing") {
				list = append(list, strings.TrimPrefix(strings.TrimSpace(line), "./"))
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	gc := gcExplains(t, dir, out)
	want := about(gc)
	if len(want) < 5 {
		t.Fatalf("gc says %q", want)
	}
	if r := run(t, dir, nil, "build", "-gcflags=-m", "-o", out, "."); !slices.Equal(about(r.stderr), want) {
		t.Errorf("%q, not %q", about(r.stderr), want)
	}
}

// TestExplainObjects holds what -gcflags=-m says of objects that come by inlined code of other
// packages against gc's: types have their package, and all is where the call is.
func TestExplainObjects(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.25
-- main.go --
package main

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"fmt"
	"strings"
)

func main() {
	h := sha256.New()
	l := list.New()
	b := bytes.NewBuffer(nil)
	r := strings.NewReader("x")
	fmt.Println(h.Size() > 1, l.Len(), b.Len(), r)
}
`)
	out := filepath.Join(t.TempDir(), "out")
	about := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			of := strings.Contains(line, "new(") || strings.Contains(line, "&") || strings.Contains(line, "... argument")
			// Loam's escape analysis comes behind inlining
			of = of && !strings.Contains(line, "new(list.List)")
			if of || !strings.HasPrefix(line, "./") && !strings.HasPrefix(line, "#") {
				list = append(list, line)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	gc := gcExplains(t, dir, out)
	want := about(gc)
	if len(want) != 4 {
		t.Fatalf("gc says %q", want)
	}
	if r := run(t, dir, nil, "build", "-gcflags=-m", "-o", out, "."); !slices.Equal(about(r.stderr), want) {
		t.Errorf("%q, not %q", about(r.stderr), want)
	}
}

// TestInlineAcross has small functions of another package, and those that these call of a third,
// become part of their callers: -gcflags=-m
// says so where gc does, what they make stays in the caller's frame, and they still are in stacks.
func TestInlineAcross(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.25
-- b/b.go --
package b

import (
	"unsafe"

	"example.com/v/c"
)

type Box struct {
	next *Box
	f    func(int) int
	n    int
}

var made int

func count() { made++ }

// New makes a list of two; count is no other package's to call.
func New(n int, f func(int) int) *Box {
	count()
	return &Box{&Box{n: n + 1}, f, n}
}

func (b *Box) Sum() int { return b.f(b.n) + b.next.n }

func Made() int { return made }

func Up(n uintptr) unsafe.Pointer { return unsafe.Pointer(&n) }

func Each(list []int, f func(int)) {
	for _, x := range list {
		f(x)
	}
}

func At(list []int, i int) int { return list[i] }

func Deep(x int) *c.Pair { return c.New(x) }
-- c/c.go --
package c

type Pair struct{ x, y int }

func swapped(x, y int) *Pair { return &Pair{y, x} }

func New(x int) *Pair { return swapped(x, 2) }

func (p *Pair) Sum() int { return p.x + p.y }
-- main.go --
package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"example.com/v/b"
)

var total int

func work() {
	box := b.New(3, func(x int) int { return x + total })
	total += box.Sum() + *(*int)(b.Up(5))
	sum := 0
	b.Each([]int{1, 2, 3}, func(x int) { sum += x })
	total += sum + b.Deep(total).Sum()
}

func main() {
	fmt.Println(testing.AllocsPerRun(100, work), total > 0, b.Made())
	defer func() {
		fmt.Println(recover())
		var pcs [20]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
		for {
			f, more := frames.Next()
			if strings.Contains(f.File, "/v/") || strings.HasPrefix(f.Function, "main.") || strings.Contains(f.Function, "/v/b") {
				fmt.Println(f.Function, f.Line)
			}
			if !more {
				break
			}
		}
	}()
	fmt.Println(b.At(nil, len(pcsOf())))
}

func pcsOf() []int { return []int{1} }
`)
	out := filepath.Join(t.TempDir(), "out")
	about := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "./")
			if strings.Contains(line, "inlining call to b.") || strings.Contains(line, "inlining call to c.") {
				list = append(list, line)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	cmd := exec.Command("go", "build", "-gcflags=-m", "-o", out, ".")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := about(string(text))
	printed, err := exec.Command(out).CombinedOutput()
	if err != nil || len(want) < 5 {
		t.Fatalf("%v\n%s%s", err, text, printed)
	}
	r := run(t, dir, nil, "build", "-gcflags=-m", "-o", out, ".")
	if got := about(r.stderr); r.code != 0 || !slices.Equal(got, want) {
		t.Errorf("exit code %d, -m says\n%s\ngc:\n%s", r.code, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, err := exec.Command(out).CombinedOutput(); err != nil || string(got) != string(printed) {
		t.Errorf("%v\n%s\ngc's program:\n%s", err, got, printed)
	}
}

// TestCopies: of other packages' functions that stay calls, LLVM gets copies of those that it may
// find small enough, and of no others: copies of all took a twentieth of its time.
func TestCopies(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/copies

go 1.25
-- b/b.go --
package b

//go:noinline
func f(x int) int { return x }

func Short(a *[9]int) int { return f(a[0]) + f(a[1]) }

func Long(a *[9]int) int {
	return f(a[0]) + f(a[1]) + f(a[2]) + f(a[3]) + f(a[4]) + f(a[5]) + f(a[6]) + f(a[7]) + f(a[8])
}
-- main.go --
package main

import "example.com/copies/b"

func main() {
	var a [9]int
	println(b.Short(&a), b.Long(&a))
}
`)
	r := run(t, dir, []string{"TMPDIR=" + t.TempDir()}, "build", "-work", "-o", "x", ".")
	_, work, _ := strings.Cut(r.stderr, "WORK=")
	work, _, _ = strings.Cut(work, "\n")
	text, err := os.ReadFile(filepath.Join(work, "example.com_copies.ll"))
	if r.code != 0 || err != nil {
		t.Fatal(err, r.stderr)
	}
	var copied []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "define available_externally ") {
			_, name, _ := strings.Cut(line, "copies/b.")
			name, _, _ = strings.Cut(name, "\"")
			copied = append(copied, name)
		}
	}
	if !slices.Equal(copied, []string{"Short"}) {
		t.Errorf("copied are %q, want Short", copied)
	}
}
