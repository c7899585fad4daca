package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// sameFaults holds what loam says about packages in dir against what gc says.
func sameFaults(t *testing.T, dir, flags string, packages []string) {
	t.Helper()
	said := map[string]map[string]string{}
	for _, tool := range []string{"go", loam} {
		cmd := exec.Command(tool, slices.Concat([]string{"build", flags}, packages)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Fatalf("%s finds no fault", tool)
		}
		said[tool] = map[string]string{}
		for _, part := range strings.Split("\n"+string(out), "\n# ") {
			name, text, _ := strings.Cut(part, "\n")
			said[tool][name] = strings.TrimSpace(text)
		}
	}
	wrong := 0
	for name, want := range said["go"] {
		if got := said[loam][name]; got != want {
			if wrong++; wrong <= 10 {
				t.Errorf("%s %s:\n%s\n--- want\n%s", flags, name, got, want)
			}
		}
	}
	for name, got := range said[loam] {
		if _, ok := said["go"][name]; !ok {
			t.Errorf("%s %s: want nothing\n%s", flags, name, got)
		}
	}
	t.Logf("%s: %d of %d packages differ", flags, wrong, len(said["go"]))
}

// TestFaultsTogether: all faults of a package are told as gc tells them, whichever part of gc finds
// them: its parser, its type checker, or what comes after it.
func TestFaultsTogether(t *testing.T) {
	var files strings.Builder
	files.WriteString("-- go.mod --\nmodule example.com/f\n\ngo 1.26\n")
	for name, text := range faulty {
		files.WriteString("-- " + name + "/p.go --\npackage p\n\n" + text)
	}
	dir := module(t, files.String())
	for _, flags := range []string{"-gcflags=-e", "-gcflags="} {
		sameFaults(t, dir, flags, []string{"./..."})
	}
}

// faulty are packages by name, without their first line.
var faulty = map[string]string{
	"defaults": `func f(c chan int, x any) {
	switch { default: default: case true: }
	switch x.(type) { case int: default: default: }
	select { default: case <-c: default: default: }
}
`,
	"hiding": `type S[string any, int interface{ ~[]bool }] struct{ a string; b int }

func (s S[error, any]) m(e error) error { return 1 }
func (s *S[nil, len]) n() nil { var x int = len(nil); return x }
func F[true any](x true) true { return false }
func G[int any, string comparable](a int, b string) (int, string) { return b, a }
func H[int any](f func(int) string, m map[string]int) { f = 1; m = f; _ = f(5) }
type A[int any] = []int
var _ A[string] = []bool{}
func run() { G[string, bool](1, 2); F("x") == 3; H[int](nil, nil) ; var z S[int, string] }
`,
	"literals": `var a = func() {} == func() { return }
var b int = func() int { return 1 }
var c = []func(){func() {}, func() int { return 1 }, func(x int) { _ = x }}
var d = map[string]func(int) (a, b int){"x": func(int) (a, b int) { return }, "y": func() {}}
var e string = func(x ...int) []struct{ a int } { return nil }
func f(func(), int) {}
func run() {
	f(func() int { return 1 }, func() {})
	var x int = func() {}
	x = func() {}
	x == func() {}
	func() {} + 1
	-func() {}
	!func() {}()
	for range func() {} {}
	for range func(yield func(int)) {} {}
	switch func() {} { case 1: }
	if func() bool { return true } {}
	go func() {}
	return func() {}
}
`,
	"blocks": `func f() {
	a := 1
	{ b := 1; { c := 1 } ; d := 1 }
	for e := range 3 { f := 1 }
	if g := 1; true { h := 1 } else if i := 2; true { j := 1 } else { k := 1 }
	switch l := 1; { case true: m := 1; default: n := 1 }
	o := 1
}
func g() {
	a := func() { b := func() { c := 1 } ; d := 1 }
	e := 1
	func() { f := 1 }()
	defer func(g int) { h := 1 }(1)
}
`,
	"unused": `func run() {
	{ a := 1 }
	b := 1
	var c, d = 1, func() { e := 1 }
	select { case f := <-make(chan int): default: g := 1 }
	var _ = func() (x int) { y := 2; return }
	for i, j := range []int{} { }
	for k := 0; k < 3; k++ { }
	const l = 1
	var (m int; n = 2; o, p = 1, 2)
	q, r := 1, 2
	_ = q
L: for { s := 1; break }
	switch t := any(1).(type) { case int: u := 1; case string: }
}
`,
	"directives": `import _ "unsafe"

//go:noinline
var x int = "a"

//go:nosplit
type T int
var y = 1 //go:noinline

//go:linkname zz yy
//go:linkname main foo bar
//go:nowritebarrier
func f() int { return "s" }

//go:embed x
func g() {}
func h()
`,
	"bodies": `import "unsafe"

var _ unsafe.Pointer

//go:noinline
var x int

//go:linkname zz yy
//go:linkname f
func f()
func h()

//go:linkname k other.k
func k()
func (T) m()

type T int
//go:noescape
func g() {}

//go:embed x
var s string
`,
	"received": `func run() {
	var c chan int
	var a, b, d int
	x := [3]int{}
	select {
	case a, b, d = <-c:
	case a, b, d, e := <-c:
	case a, _, _ := <-c:
		_ = a
	case x, y, x := <-c:
		_ = y
	}
	select {
	case i, ok, more := <-c:
		_, _, _ = i, ok, more
	default:
		undefined()
	}
}
`,
	"bodiless": `import "fmt"

//go:embed x.txt
var s string

//go:linkname foo bar
func foo()

func noBody()

//go:noescape
func hasBody() {}

//go:nosplit
type T int

func run() { fmt.Println(s); noBody() }
`,
	"constants": `import "unsafe"

const big = 1 << 100
var a int8 = 200
var b uint = -1
var c int = 1.5
var d byte = 'a' + 200
var e = 1 / 0
var f = 1.0 / 0
var g = 5 % 0
var h int = big
var i = 1 << -1
var j = 1 << 1.5
var k = "a" + 1
var l = !1
var m = -"x"
var n = ^1.5
var o = &1
var p = *3
var q float32 = 1e40
var r = [3]int{1,2,3,4}
var s = [2]int{5: 1}
var t = []int{1: 1, 1: 2}
var u = map[string]int{"a": 1, "a": 2}
var v = [...]int{-1: 2}
var w = struct{ a int }{b: 1}
var x = struct{ a, b int }{1}
var y = struct{ a, b int }{1, 2, 3}
var z = struct{ a, b int }{a: 1, 2}
var aa = [1]int{}[1]
var bb = "abc"[5]
var cc = []int{}[-1]
var dd = []int{}["a"]
var ee = map[string]int{}[1]
var ff = "abc"[2:1]
var gg = [3]int{}[:]
var hh = "abc"[0:1:2]
var ii unsafe.Pointer = 1
var jj = int("x")
var kk = string(1.5)
var ll = []byte(5)
var mm = nil
var nn = interface{}(nil) == []int{}
var oo = []int{} == []int{}
var pp = map[[]int]int{}
var qq = func() {} == func() {}
var rr = struct{ f []int }{} == struct{ f []int }{}
`,
	"switches": `func run() {
	for i := range 10 { i := i }
	for a, b := range 10 {}
	for a, b, c := range []int{} {}
	for a, b := range func(func(int) bool) {} {}
	for a := range func(int) {} {}
	for range 1.5 {}
	for x := range struct{}{} { _ = x }
	var c chan<- int
	for x := range c { _ = x }
	for x, y := range make(chan int) { _ = x; _ = y }
	break
	continue
	goto L
	goto M
	{ M: }
L:
L:
	x := 1
	goto N
	z := 2
N:
	_ = z
	for { break L }
	switch { case true: continue }
	select { case 1: }
	fallthrough
	switch 1 { case 1: fallthrough }
	switch x := any(1).(type) { case int: fallthrough; default: }
	switch 1 { case 1: case 1: default: default: }
	switch "a" { case "a", "a": }
	switch any(1).(type) { case int: case int: }
	switch x.(type) {}
	switch x := any(1).(type) {}
}
`,
	"mixed": `import "fmt"

type T struct{ a int }
func (t T) M() {}
func (t *T) P() {}
type I interface{ M(); P() }

func run() {
	var i I = T{}
	i = &T{}
	T{}.P()
	T.P(T{})
	(*T).P(T{})
	T.M()
	(*T).Q()
	var f func() = T.M
	var g func(T) = (*T).P
	var h func(*T) = (*T).M
	f = i.M
	m := map[string]T{}
	m["a"].P()
	m["a"].a++
	&m["a"]
	_ = &T{}.a
	_ = &fmt.Sprint()
	_ = &1
	_ = &i.M
	_ = T{}.a.b
	_ = T.a
	_ = (*T).a
	T{1}.a = 2
	f2()[0] = 1
	f2().x = 1
	fmt.Println = nil
	fmt = nil
	T = nil
	nil = nil
	true = false
	_ = _
	x := _
	_.y = 1
	iota = 3
	const c = iota + f2()
	c = 1
	c++
	const d []int = nil
	const e T = T{}
	const g2 = len([]int{1})
	const h2 = len([3]int{})
	const k = len("abc") + unsafe.Sizeof(1)
	var arr [f2()]int
	var arr2 [-1]int
	var arr3 [1.5]int
	var arr4 ["a"]int
	var arr5 [c]int
	var arr6 [1<<62]int
	type R struct { R }
	var v void
	var w fmt
	var y fmt.nosuch
	var z fmt.Println
	var aa main
}
func f2() int { return 1 }
`,
	"generic": `type N interface { ~int | ~float64 }
func F[T N](x T) T { return x }
func G[T any](x, y T) T { return x + y }
func H[T comparable](x T) {}
type S[T any] struct { v T }
func (s S) K() {}
func (s S[int]) L() { var x int = 1 }
type R[T R2] struct{}
type P[T P[T]] struct{}
var v N
var w S
var x S[int, string]
var y = F
var z = F[string]
func run() {
	F("a")
	G(1, "a")
	H([]int{})
	H(func() {})
	var s S[int]
	s.nosuch()
	F[int](1.5)
	F[int, int](1)
	_ = S[N]{}
	_ = S{v: 1}
	var f func(int) int = F
	var g func(string) string = F
	var t interface{ int }
	_ = any(1).(N)
	type L[T any] struct{}
	K[int]()
	Q()
}
func K() {}
func Q[T any]() {}
func W[T any](t T) { t.x(); _ = t.(int); switch t.(type) {}; for range t {}; _ = len(t); t[0] = 1; t() }
func X[T int|string](t T) { _ = t + 1; _ = t[0]; _ = -t }
func Y[T []int|map[int]int](t T) { for k, v := range t { _, _ = k, v }; _ = t[0:1] }
func Z[T *int](t T) { *t = 1 }
`,
	"unused2": `import "fmt"

func a() {
	var unused1 int
	unused2 := 1
	unused3, used := 1, 2
	fmt.Println(used)
	unused4 := func() { unused5 := 1 }
	for unused6 := 0; ; { }
	if unused7 := 1; true { }
	switch unused8 := any(1).(type) { case int: }
	const unusedc = 1
	type unusedt int
	var unused9 = 1
	unused9 = 2
	unused10 := []int{1}
	unused10[0] = 1
	unused11 := struct{a int}{}
	unused11.a = 1
	p := new(int)
	*p = 1
	unused12 := 1
	unused12++
	unused13 := 1
	unused13 += 1
	unused14 := 1
	func() { unused14 = 2 }()
L:
	for {}
}
`,
}
