package regress

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loam/internal/loamtest"
)

// A receiver is a nil pointer by which a method is called that takes a value.
type receiver struct{ name, typ string }

var nilReceivers = []receiver{
	{"struct", "Pair"},
	{"big struct", "Big"},
	{"number", "Num"},
	{"instance", "Box[int]"},
	{"promoted", "Outer"},
	{"promoted by pointer", "Far"},
	{"promoted by interface", "Wrap"},
}

// nilWays are how the method is called. In their texts {T} is the receiver's type, and v a nil
// pointer to it.
var nilWays = []struct{ name, body string }{
	{"direct", "v.\n\tGet(\n\t\tone())"},
	{"direct deferred", "defer v.\n\tGet(\n\t\tone())"},
	{"direct go", "go v.\n\tGet(\n\t\tone())\nselect {}"},
	{"method value", "f := v.\n\tGet\nf(\n\tone())"},
	{"method expression", "(*{T}).\n\tGet(\n\tv,\n\tone())"},
	{"method expression of a value", "{T}.\n\tGet(\n\t*v,\n\tone())"},
	{"method expression kept", "f := (*{T}).\n\tGet\nf(\n\tv,\n\tone())"},
	{"known", "var s Getter = v\ns.\n\tGet(\n\t\tone())"},
	{"known later", "var s Getter\ns = v\nuse(1)\ns.\n\tGet(\n\t\tone())"},
	{"known from two", "var s Getter = v\nif one() == 2 {\n\ts = new({T})\n}\ns.\n\tGet(\n\t\tone())"},
	{"known copy", "var s Getter = v\nt := s\nt.\n\tGet(\n\t\tone())"},
	{"known short", "var s Short = v\ns.\n\tGet(\n\t\tone())"},
	{"known deferred", "var s Getter = v\ndefer s.\n\tGet(\n\t\tone())"},
	{"known go", "var s Getter = v\ngo s.\n\tGet(\n\t\tone())\nselect {}"},
	{"known deferred in loop", "var s Getter = v\nfor range one() {\n\tdefer s.\n\t\tGet(\n\t\t\tone())\n}"},
	{"known method value", "var s Getter = v\nf := s.\n\tGet\nf(\n\tone())"},
	{"known method value deferred", "var s Getter = v\nf := s.\n\tGet\ndefer f(\n\tone())"},
	{"known method expression", "var s Getter = v\nGetter.\n\tGet(\n\ts,\n\tone())"},
	{"converted", "Getter(\n\tv).\n\tGet(\n\t\tone())"},
	{"converted deferred", "defer Getter(\n\tv).\n\tGet(\n\t\tone())"},
	{"converted twice", "Short(\n\tGetter(v)).\n\tGet(\n\t\tone())"},
	{"asserted", "var t any = v\nt.\n\t(Getter).\n\tGet(\n\t\tone())"},
	{"asserted deferred", "var t any = v\ndefer t.\n\t(Getter).\n\tGet(\n\t\tone())"},
	{"asserted at once", "any(\n\tv).\n\t(Getter).\n\tGet(\n\t\tone())"},
	{"asserted into", "var t any = v\ns := t.\n\t(Getter)\ns.\n\tGet(\n\t\tone())"},
	{"asserted with ok", "var t any = v\ns, ok := t.\n\t(Getter)\nif ok {\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"asserted with ok into", "var t any = v\nvar s Getter\nvar ok bool\ns, ok = t.(Getter)\nif ok {\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"type switch", "var t any = v\nswitch s := t.(type) {\ncase Getter:\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"type switch at once", "switch s := any(v).(type) {\ncase Short:\n\tuse(1)\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"unknown", "s := hide(v)\ns.\n\tGet(\n\t\tone())"},
	{"unknown deferred", "s := hide(v)\ndefer s.\n\tGet(\n\t\tone())"},
	{"unknown go", "s := hide(v)\ngo s.\n\tGet(\n\t\tone())\nselect {}"},
	{"unknown method value", "s := hide(v)\nf := s.\n\tGet\nf(\n\tone())"},
	{"unknown method expression", "s := hide(v)\nGetter.\n\tGet(\n\ts,\n\tone())"},
	{"unknown asserted", "s := hide(v)\nany(s).\n\t(Short).\n\tGet(\n\t\tone())"},
	{"one of two types", "var s Getter = v\nif one() == 2 {\n\ts = other{}\n}\ns.\n\tGet(\n\t\tone())"},
	{"address taken", "var s Getter = v\nkeep = &s\ns.\n\tGet(\n\t\tone())"},
	{"in a literal", "var s Getter = v\nfunc() {\n\tuse(1)\n\ts.\n\t\tGet(\n\t\t\tone())\n}()"},
	{"in a kept literal", "var s Getter = v\nrun(func() {\n\ts.\n\t\tGet(\n\t\t\tone())\n})"},
	{"own of a literal", "run(func() {\n\tvar s Getter = v\n\ts.\n\t\tGet(\n\t\t\tone())\n})"},
	{"own of a literal deferred", "run(func() {\n\tvar s Getter = v\n\tdefer s.\n\t\tGet(\n\t\t\tone())\n})"},
	{"own of a loop over a function", "for range seq {\n\tvar s Getter = v\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"seen by a loop over a function", "var s Getter = v\nfor range seq {\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"from a slice", "for _, s := range []Getter{v} {\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"from a slice of pointers", "var s Getter\nfor _, s = range []*{T}{v} {\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"from a slice of pointers, set", "for _, p := range []*{T}{v} {\n\tvar s Getter = p\n\ts.\n\t\tGet(\n\t\t\tone())\n}"},
	{"result", "s := Getter(made[{T}]())\ns.\n\tGet(\n\t\tone())"},
	{"received", "c := make(chan *{T}, 1)\nc <- v\nvar s Getter\ns = <-c\ns.\n\tGet(\n\t\tone())"},
	{"received with ok", "c := make(chan *{T}, 1)\nc <- v\nvar s Getter\nvar ok bool\ns, ok = <-c\nuse(ok)\ns.\n\tGet(\n\t\tone())"},
	{"of a map with ok", "var s Getter\nvar ok bool\ns, ok = map[int]*{T}{1: v}[one()]\nuse(ok)\ns.\n\tGet(\n\t\tone())"},
	{"of two results", "var s Getter\nvar n int\ns, n = two[{T}]()\nuse(n)\ns.\n\tGet(\n\t\tone())"},
	{"nil", "var s Getter\ns.\n\tGet(\n\t\tone())"},
	{"nil later a pointer", "var s Getter\nif one() == 2 {\n\ts = v\n}\ns.\n\tGet(\n\t\tone())"},
	{"nil deferred", "var s Getter\ndefer s.\n\tGet(\n\t\tone())"},
	{"nil method value", "var s Getter\nf := s.\n\tGet\nf(\n\tone())"},
	{"generic", "inGeneric(v, 1.5)"},
	{"instance of the receiver", "ofType(v)"},
}

// writeNilMethods writes a program of all ways by all receivers. It takes the number of one.
func writeNilMethods() (text string, names []string) {
	var b, run strings.Builder
	b.WriteString(nilMethods)
	for _, r := range nilReceivers {
		for _, w := range nilWays {
			n := len(names)
			names = append(names, w.name+", "+r.name)
			body := strings.ReplaceAll(w.body, "{T}", r.typ)
			fmt.Fprintf(&b, "//go:noinline\nfunc c%d() {\n\tv := none[%s]()\n\tuse(v)\n%s\n}\n\n", n, r.typ, body)
			fmt.Fprintf(&run, "\tc%d,\n", n)
		}
	}
	fmt.Fprintf(&b, "var cases = []func(){\n%s}\n", run.String())
	return b.String(), names
}

const nilMethods = `package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

type Getter interface {
	Get(int) int
	More()
}

type Short interface{ Get(int) int }

type Pair struct{ F, G int }

func (p Pair) Get(n int) int { return p.G + n }
func (p Pair) More()         {}

type Big struct{ W [40]int }

//go:noinline
func (p Big) Get(n int) int { return p.W[30] + n }
func (p Big) More()         {}

type Num int

func (p Num) Get(n int) int { return int(p) + n }
func (p Num) More()         {}

type Box[T any] struct{ V, W T }

func (p Box[T]) Get(n int) int { return n + len(fmt.Sprint(p.W)) }
func (p Box[T]) More()         {}

type Outer struct {
	N int
	Pair
}

type Far struct {
	N int
	*Pair
}

type Wrap struct {
	N int
	Getter
}

type other struct{}

func (other) Get(n int) int { return n }
func (other) More()         {}

var keep any

//go:noinline
func none[T any]() *T { return nil }

func made[T any]() *T { return none[T]() }

//go:noinline
func two[T any]() (*T, int) { return nil, 1 }

//go:noinline
func hide(s Getter) Getter { return s }

//go:noinline
func one() int { return 1 }

//go:noinline
func use(x any) { keep = x }

//go:noinline
func run(f func()) { f() }

func seq(yield func() bool) { yield() }

func inGeneric[S Getter, T any](v S, x T) {
	use(x)
	var s Getter = v
	s.
		Get(
			one())
}

func ofType[T Getter](v T) {
	v.
		Get(
			one())
}

// try prints what f panics with, and the lines of the program's own functions.
func try(n int) {
	defer func() {
		r := recover()
		fmt.Printf("%d: %v", n, r)
		pcs := make([]uintptr, 40)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for {
			f, more := frames.Next()
			if strings.HasPrefix(f.Function, "main.try") || !more {
				break
			}
			if strings.HasPrefix(f.Function, "main.") && f.Line > 1 && !strings.Contains(f.Function, "wrap") {
				fmt.Printf(" %s:%d", f.Function, f.Line)
			}
		}
		fmt.Println()
	}()
	cases[n]()
}

func main() {
	if len(os.Args) > 1 {
		n, _ := strconv.Atoi(os.Args[1])
		cases[n]()
		return
	}
	for n := range cases {
		if !ends[n] {
			try(n)
		}
	}
}

`

// frameLine is a line of a traceback that names one of the file.
var frameLine = regexp.MustCompile(`main\.go:\d+`)

// TestNilMethods holds what becomes of a method that takes a value and is called by a nil pointer
// against gc's answer: which panic it is, when it comes, and its line. gc knows of some interfaces
// which type they hold, and calls the method directly then, inlining or not.
func TestNilMethods(t *testing.T) {
	loam := loamtest.Command(t)
	text, names := writeNilMethods()
	own := map[int]bool{}
	ends := "var ends = map[int]bool{"
	for n, name := range names {
		if strings.Contains(name, " go, ") {
			own[n] = true
			ends += fmt.Sprintf("%d: true, ", n)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text+ends+"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	answers := func(t *testing.T, tool, toolchain string) (list []string) {
		exe := filepath.Join(t.TempDir(), "program")
		if out, err := build(t, tool, toolchain, dir, "main.go", exe); err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, out)
		}
		out, err := exec.Command(exe).Output()
		if err != nil {
			t.Fatal(err)
		}
		list = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		for n := range names {
			if own[n] {
				out, _ := exec.Command(exe, fmt.Sprint(n)).CombinedOutput()
				first, rest, _ := strings.Cut(string(out), "\n")
				list = append(list, fmt.Sprintf("%d: %s %s", n, first, strings.Join(frameLine.FindAllString(rest, -1), " ")))
			}
		}
		return list
	}
	for _, release := range []string{"", "go1.27"} {
		for _, flags := range []string{"", "-l", "-N", "-N -l"} {
			t.Run(release+flags, func(t *testing.T) {
				t.Setenv("GOFLAGS", fmt.Sprintf("'-gcflags=%s'", flags))
				toolchain := loamtest.Toolchain(t, release)
				want, got := answers(t, "go", toolchain), answers(t, loam, toolchain)
				if len(got) != len(want) {
					t.Fatalf("%d answers, gc has %d", len(got), len(want))
				}
				for i := range want {
					if got[i] != want[i] {
						n := 0
						fmt.Sscan(want[i], &n)
						t.Errorf("%s\n\tgc   %s\n\tloam %s", names[n], want[i], got[i])
					}
				}
			})
		}
	}
}
