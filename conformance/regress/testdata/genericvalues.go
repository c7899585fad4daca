//go:build go1.27

// Values and expressions of generic methods: nil receivers, recover through them, frames, and generic functions that make them;
// type arguments that follow from where a function is assigned.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
)

type N struct{ n int }

func (v N) Val[P any](p P) (int, P)               { return v.n, p }
func (v *N) Ptr[P any](p P) *P                    { fmt.Println("ptr", v == nil); return &p }
func (v N) Rec[P any](p P)                        { fmt.Println("recovered", recover(), p) }
func (v *N) PRec[P any]()                         { fmt.Println("recovered", recover()) }
func (v *N) Boom[P any](p P)                      { panic(p) }
func (v *N) Vari[P any](s string, ps ...P) string { return fmt.Sprint(s, len(ps), ps) }
func (v *N) Multi[A, B any](a A) (r map[string]B, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
	}()
	var m map[string]B
	m["x"] = *new(B)
	return m, nil
}

type G[A any] struct{ a A }

func (g *G[A]) Trace[Q any](k int, q Q) {
	if k == 0 {
		var pcs [20]uintptr
		n := runtime.Callers(1, pcs[:])
		fr := runtime.CallersFrames(pcs[:n])
		for {
			f, more := fr.Next()
			if strings.HasPrefix(f.Function, "main.") {
				fmt.Print(f.Function)
				if strings.Contains(f.Function, "Trace") { // gc gives an inlined value's line where it is made
					fmt.Print(" ", f.Line)
				}
				fmt.Println()
			}
			if !more {
				break
			}
		}
		return
	}
	g.Trace(k-1, q)
}
func (g G[A]) V[Q any](q Q) (A, Q) { return g.a, q }

type E struct {
	*N
	G[int]
}

type Alias = N
type GA[T any] = G[T]
type PA = *N

var pkgvar = (*N).Vari[string]
var pkgval = (&N{7}).Val[string]
var table = map[string]func(N, int) (int, int){"a": N.Val[int], "b": func(n N, i int) (int, int) { return i, n.n }}
var arr = [...]func(*G[int], string) (int, string){(*G[int]).V[string], (*G[int]).V[string]}

func catch(name string, f func()) {
	defer func() {
		e := recover()
		fmt.Printf("%s: %v", name, e)
		if re, ok := e.(runtime.Error); ok {
			fmt.Printf(" %T", re)
		}
		fmt.Println()
	}()
	f()
}

func apply[T, U any](x T, f func(T) U) U             { return f(x) }
func apply2[R, T, U any](r R, x T, f func(R, T) U) U { return f(r, x) }
func id[T any](x T) T                                { return x }
func (N) Id[T any](x T) T                            { return x }

type S struct{ f func(int) int }

func generic[T any](x T) {
	n := N{4}
	f := n.Val[[]T]
	g := N.Val[map[string]T]
	h := func() { fmt.Println("lit") }
	var e E
	e.N = &N{5}
	k := E.Ptr[T]
	fmt.Println(name(f), name(g), name(h), name(k))
	a, b := f([]T{x})
	fmt.Println(a, b)
	a, c := g(n, nil)
	fmt.Println(a, c)
	fmt.Println(*k(e, x))
	gt := G[T]{x}
	v := gt.V[T]
	w := (*G[T]).V[*T]
	fmt.Println(v(x))
	_, p := w(&gt, &x)
	fmt.Println(p == &x, name(v), name(w))
}

func name(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }
func where(f any) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	file, line := fn.FileLine(fn.Entry())
	fmt.Println(fn.Name(), file[strings.LastIndexByte(file, '/')+1:], line)
}

func main() {
	var np *N
	catch("bind", func() { v := np.Val[int]; fmt.Println("bound"); v(1) })
	catch("expr", func() { v := (*N).Val[int]; fmt.Println("made"); v(np, 1) })
	catch("embedded", func() { var e *E; v := (*E).Val[int]; v(e, 1) })
	catch("embedded2", func() { var e E; e.Ptr(1); e.Val(1) })
	catch("embedded3", func() { var e *E; e.Ptr(1) })
	catch("method", func() { np.Boom("boom") })
	catch("value", func() { f := np.Boom[error]; f(fmt.Errorf("err")) })
	fmt.Println(np.Vari("s", 1, 2, 3), np.Vari[bool]("none"), np.Vari("slice", []string{"a", "b"}...))
	fv := np.Vari[int]
	fmt.Println(fv("v"), fv("v", 1), fv("v", []int{4, 5}...))
	fe := (*N).Vari[int]
	fmt.Println(fe(np, "v"), fe(np, "v", 1), fe(np, "v", []int{4, 5}...))
	fmt.Println(pkgvar(nil, "pkg", "x"))
	fmt.Println(pkgval("y"))
	fmt.Println(table["a"](N{1}, 2))
	fmt.Println(table["b"](N{1}, 2))
	fmt.Println(arr[0](&G[int]{3}, "z"))
	fmt.Println(arr[1](&G[int]{3}, "z"))
	fmt.Println(np.Multi[int, string](3))

	func() {
		n := N{}
		defer n.Rec("deferred")
		defer n.PRec[int]()
		panic("p1")
	}()
	func() {
		n := N{}
		f := n.Rec[string]
		defer f("method value")
		panic("p2")
	}()
	func() {
		f := (*N).PRec[string]
		defer f(nil)
		panic("p3")
	}()
	func() {
		defer E.Rec[string](E{N: &N{}}, "expr")
		panic("p4")
	}()
	done := make(chan bool)
	go func() { (&G[string]{}).Trace(2, 1.5); done <- true }()
	<-done
	g := &G[string]{}
	t := g.Trace[*int]
	t(1, nil)
	u := (*G[string]).Trace[int]
	u(g, 1, 3)
	x := (*E).Trace[int]
	_ = x
	go g.V(1)

	// inference
	fmt.Println(apply(3, N{}.Id), apply2(N{1}, 3.5, N.Id), apply2(&N{2}, "s", (*N).Id))
	var i int = apply(5, id)
	fmt.Println(i)
	s := S{f: id}
	m := map[string]func(string) string{"a": id, "b": N{}.Id[string]}
	sl := []func(int) int{id, N{}.Id[int], 3: id}
	ch := make(chan func(int8) int8, 2)
	ch <- id
	ch <- N{}.Id[int8]
	type F func(uint) uint
	f := F(id)
	f2 := F(N{}.Id[uint])
	fmt.Println(s.f(1), m["a"]("x"), m["b"]("y"), sl[0](1), sl[1](2), sl[3](3), (<-ch)(4), (<-ch)(5), f(6), f2(7))
	pf := &[]func(N, int) int{N.Id[int]}
	fmt.Println((*pf)[0](N{}, 9))
	rf := func() func(string) string { return N{}.Id }
	fmt.Println(rf()("r"))

	generic(1)
	generic("x")
	where(np.Ptr[int])
	where(N.Val[int])
	where(func() {})
	fmt.Println((N{}).Id[int](3), ((*N).Id[string])(np2(), "p"))
	fmt.Println(Alias.Id[int](Alias{}, 3), PA.Id(PA(&N{}), 4))
	fmt.Println(GA[int].V[int](GA[int]{1}, 2))
	fmt.Fprintln(os.Stdout)
	fmt.Println(struct{ N }{N{3}}.Val(2))
	fmt.Println((struct{ N }).Val[int](struct{ N }{N{3}}, 2))
	fmt.Println((*struct{ *N }).Val[int](&struct{ *N }{&N{3}}, 2))
}

func np2() *N { return &N{} }
