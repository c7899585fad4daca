// Pointers to what has no size: from where, compared to where.
package main

import "fmt"

type idle struct{}
type none [0]int
type pair struct {
	a idle
	b [0]string
}

func (*idle) Error() string { return "idle" }

var (
	kept      = &idle{}
	kept2     = new(idle)
	keptNone  = &none{}
	keptPair  = &pair{}
	keptSlice = []idle{{}, {}}
	keptArray = &[3]idle{}
	keptErr   error = &idle{}
	keptAny   any   = &idle{}
	keptMap   = map[string]*idle{"a": {}, "b": {}}
	keptList  = []*idle{{}, {}}
	keptNest  = struct{ p, q *idle }{&idle{}, new(idle)}
	emptyS    = []int{}
	emptyS2   = []string{}
	variable  idle
	variable2 idle
	array     [0]int
)

var sink []any

//go:noinline
func ptr(x any) string { sink = append(sink, x); return fmt.Sprintf("%p", x) }

//go:noinline
func zero() *idle { return &idle{} }

//go:noinline
func local() *idle { var x idle; return &x }

//go:noinline
func made() []idle { return make([]idle, 3) }

//go:noinline
func param(x idle) *idle { return &x }

//go:noinline
func boxed(x any) any { return x }

//go:noinline
func closure() (func() *idle) { var x idle; return func() *idle { return &x } }

type big struct {
	n int
	z idle
}

func main() {
	base := ptr(zero())
	is := func(what string, p any) { fmt.Println(what, ptr(p) == base) }
	is("kept", kept)
	is("kept2", kept2)
	is("keptNone", keptNone)
	is("keptPair", keptPair)
	is("keptPair.b", &keptPair.b)
	is("keptSlice", &keptSlice[0])
	is("keptSlice1", &keptSlice[1])
	is("keptArray", keptArray)
	is("keptArray2", &keptArray[2])
	is("keptErr", keptErr)
	is("keptAny", keptAny)
	is("keptMap", keptMap["a"])
	is("keptMap", keptMap["b"])
	is("keptList", keptList[0])
	is("keptList", keptList[1])
	is("keptNest", keptNest.p)
	is("keptNest", keptNest.q)
	is("variable", &variable)
	is("variable2", &variable2)
	is("array", &array)
	is("local", local())
	is("made", &made()[0])
	is("made", &made()[2])
	is("param", param(idle{}))
	is("closure", closure()())
	is("new none", new(none))
	is("make", &make([]idle, 2)[1])
	x := struct{ a idle; n int }{}
	is("field", &x.a)
	is("emptyslice", fmt.Sprintf("%p", emptyS) == fmt.Sprintf("%p", emptyS2))
	fmt.Println(fmt.Sprintf("%p", emptyS) == base, fmt.Sprintf("%p", emptyS2) == base, fmt.Sprintf("%p", []int{}) == base, fmt.Sprintf("%p", make([]int, 0)) == base)
	m := map[string]idle{}
	m["a"] = idle{}
	var s []idle
	s = append(s, idle{}, idle{})
	is("appended", &s[1])
	c := append([]idle(nil), s...)
	is("copied", &c[0])
	b := boxed(idle{})
	d := boxed([0]int{})
	_, _ = b, d
	var list []any
	for range 3 {
		list = append(list, &idle{}, new(none), &pair{})
	}
	for i, l := range list {
		is(fmt.Sprint("list", i), l)
	}
	func() {
		var v idle
		defer func() { is("deferred", &v) }()
	}()
	ch := make(chan *idle, 1)
	go func() { ch <- &idle{} }()
	is("goroutine", <-ch)
	s2 := make([]idle, len(list))
	is("variable length", &s2[len(s2)-1])
	bb := []byte("")
	_ = bb
	g := gen[idle]()
	is("generic", g)
	is("generic none", gen[none]())
	e := [2]*idle{{}, {}}
	is("array lit", e[0])
	is("array lit", e[1])
	z := []*pair{{}, {}}
	is("slice lit", z[1])
	zs := []idle{{}, {}, {}}
	is("slice of idle", &zs[2])
	var w struct{ a, b idle }
	is("struct local", &w)
	is("struct local b", &w.b)
	fmt.Println("two", ptr(&w) == ptr(&w.b))
	// comparisons as interfaces
	var e1, e2 error = &idle{}, kept
	fmt.Println(boxed(e1) == boxed(e2), boxed(&variable) == boxed(&variable2), boxed(kept) == boxed(kept2))
}

func gen[T any]() *T { return new(T) }
