//go:build go1.27

// Generic methods: calls, values and expressions of their instances, through embedded fields too, names, method sets.
package main

import (
	"fmt"
	"iter"
	"reflect"
	"runtime"
	"sort"
	"strings"
)

type N struct{ n int }

func (v N) Val[P any](p P) (int, P)  { v.n++; return v.n, p }
func (v *N) Ptr[P any](p P) (int, P) { v.n++; return v.n, p }
func (v N) Clos[P any](p P) func() P { return func() P { return func() P { return p }() } }
func (*N) Name[P any]() string       { pc, _, _, _ := runtime.Caller(0); return runtime.FuncForPC(pc).Name() }
func (N) NameV[P any]() string {
	return func() string { pc, _, _, _ := runtime.Caller(0); return runtime.FuncForPC(pc).Name() }()
}
func (v N) Rec[P any](k int, p P) string {
	if k == 0 {
		return fmt.Sprintf("%T", p)
	}
	return v.Rec[P](k-1, p) + "."
}
func (v N) Plain() int           { return v.n }
func (v N) unexp[P any]() string { return fmt.Sprintf("%T", *new(P)) }

type G[A any] struct{ a A }

func (g G[A]) M[Q any](q Q) (A, Q)          { return g.a, q }
func (g *G[A]) P[Q any](q Q) (A, Q)         { return g.a, q }
func (g G[A]) Conv[B any](f func(A) B) G[B] { return G[B]{f(g.a)} }
func (g *G[A]) Name[B, C any]() string {
	pc, _, _, _ := runtime.Caller(0)
	return runtime.FuncForPC(pc).Name()
}
func (g *G[A]) Local[B any](b B) any {
	type L struct {
		A A
		B B
	}
	return L{g.a, b}
}
func (g G[A]) Seq[B any](f func(A) B, n int) iter.Seq[B] {
	return func(yield func(B) bool) {
		for i := range n {
			_ = i
			if !yield(f(g.a)) {
				return
			}
		}
	}
}

type List[E any] []E

func (l List[E]) Map[F any](m func(E) F) (r List[F]) {
	for _, x := range l {
		r = append(r, m(x))
	}
	return
}
func (l List[E]) Fold[F any](f F, m func(F, E) F) F {
	for _, x := range l {
		f = m(f, x)
	}
	return f
}

type Tree[T any] struct {
	value       T
	left, right *Tree[T]
}

func (t *Tree[T]) Map[U any](f func(T) U) *Tree[U] {
	if t == nil {
		return nil
	}
	return &Tree[U]{f(t.value), t.left.Map(f), t.right.Map(f)}
}
func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { t.push(yield) }
}
func (t *Tree[T]) push(yield func(T) bool) bool {
	return t == nil || t.left.push(yield) && yield(t.value) && t.right.push(yield)
}

type E1 struct {
	N
	k string
}
type E2 struct {
	*E1
	G[string]
}

type I interface{ Plain() int }

type D[T any] struct{ G[[]T] }

func viaConstraint[T interface {
	~struct{ n int }
	Plain() int
}](t T) int { return t.Plain() }

func gen[T, U any](g *G[T], u U) string {
	f := g.P[U]
	a, b := f(u)
	h := (*G[T]).P[U]
	c, d := h(g, u)
	return fmt.Sprint(a, b, c, d, g.Name[U, T]())
}

type Num interface{ ~int | ~float64 }

func (v N) Sum[T Num](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s + T(v.n)
}

func (v N) Kind[T any](x T) string {
	switch any(x).(type) {
	case int:
		return "int"
	case string:
		return "string"
	case fmt.Stringer:
		return "stringer"
	}
	return "other"
}

func main() {
	n := N{1}
	fmt.Println(n.Val("x"))
	fmt.Println(n.Ptr(2.5))
	fmt.Println(n.Ptr[any](nil))
	fmt.Println(n)
	fmt.Println(n.Clos("c")(), n.Clos(7)())
	fmt.Println(n.Name[int](), n.NameV[string](), n.NameV[[]int]())
	fmt.Println(n.Rec(3, []string{}))
	fmt.Println(n.unexp[map[string]N]())

	f := n.Val[int]
	g := n.Ptr[int]
	n.n = 100
	fmt.Println(f(1))
	fmt.Println(g(1))
	h := N.Val[string]
	fmt.Println(h(n, "h"))
	k := (*N).Ptr[string]
	fmt.Println(k(&n, "k"))
	kk := (*N).Val[string]
	fmt.Println(kk(&n, "kk"))
	var inf func(*N, int) (int, int) = (*N).Ptr
	fmt.Println(inf(&n, 3))
	var bound func(string) (int, string) = n.Val
	fmt.Println(bound("b"))

	gg := G[int]{5}
	fmt.Println(gg.M("q"))
	fmt.Println(gg.P[error](nil))
	fmt.Println(gg.Conv(func(i int) string { return strings.Repeat("a", i) }).Conv(func(s string) int { return len(s) }))
	fmt.Println(gg.Name[string, N](), (&G[N]{}).Name[int, any]())
	fmt.Printf("%T %+v\n", gg.Local("s"), gg.Local("s"))
	fmt.Printf("%T %v\n", gg.Local(1), gg.Local(1) == gg.Local(1))
	fmt.Println(gg.Local(1) == gg.Local("1"), gg.Local(1) == gg.Local(int8(1)))
	for x := range gg.Seq(func(i int) float64 { return float64(i) / 2 }, 3) {
		fmt.Println(x)
	}
	fmt.Println(gen(&gg, "u"), gen(&G[string]{"s"}, 3))

	l := List[string]{"foo", "foobar", "42"}
	fmt.Println(l.Map(func(s string) int { return len(s) }).Map(func(i int) bool { return i > 2 }))
	fmt.Println(l.Fold(0, func(a int, s string) int { return a + len(s) }))
	t := &Tree[int]{2, &Tree[int]{value: 1}, &Tree[int]{value: 3}}
	for s := range t.Map(func(i int) string { return fmt.Sprint("n", i) }).All() {
		fmt.Print(s, " ")
	}
	fmt.Println()

	e := E2{&E1{N{10}, "k"}, G[string]{"emb"}}
	fmt.Println(e.Val("promoted"))
	fmt.Println(e.Ptr('p'))
	fmt.Println(e.M(1))
	fmt.Println(e.E1.n)
	ev := e.Val[int8]
	ep := e.Ptr[int8]
	e.E1 = &E1{}
	fmt.Println(ev(1))
	fmt.Println(ep(1))
	ex := E2.Ptr[uint]
	fmt.Println(ex(e, 7))
	ey := (*E2).Val[uint]
	fmt.Println(ey(&e, 7))
	var d D[int]
	fmt.Println(d.M(1))
	fmt.Println(viaConstraint(n))
	fmt.Println(n.Sum(1, 2, 3), n.Sum(1.5), n.Sum[int]())
	fmt.Println(n.Kind(1), n.Kind("s"), n.Kind(2.5))

	for _, v := range []any{n, &n, gg, &gg, e, &e, l, t} {
		typ := reflect.TypeOf(v)
		var ms []string
		for i := range typ.NumMethod() {
			ms = append(ms, typ.Method(i).Name)
		}
		sort.Strings(ms)
		_, isI := v.(I)
		_, isM := v.(interface{ Val(string) (int, string) })
		fmt.Println(typ, ms, isI, isM)
	}
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(n.Val[int]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(N.Val[int]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf((*N).Ptr[int]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf((*G[int]).P[int]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(gg.P[string]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(E2.Ptr[string]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(e.Ptr[string]).Pointer()).Name())
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(n.Clos[string]("")).Pointer()).Name())
}
