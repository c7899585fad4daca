//go:build go1.27

// Generic methods of all kinds of types: pointers, functions, maps, channels, structs of constraint interfaces, big values; names that resemble
// each other; types of their own; promotion through pointers that become nil.
package main

import (
	"fmt"
	"reflect"
	"runtime"
)

type T struct{ n int }
type PT = *T

func (t PT) M[P any](p P) (int, P) { return t.n, p }

type M struct{}

func (M) M[A any]() string { return fmt.Sprintf("%T", *new(A)) }

type Mxyz struct{}
type GG[A, B any] struct {
	a A
	b B
}
type AL[P any] = GG[P, int]

func (g GG[B, A]) Sw[C any](c C) (A, B, C) { return g.b, g.a, c }
func (g GG[_, B]) Blank[C any](c C) (B, C) { return g.b, c }
func (*GG[A, _]) Blank2[_ any]() A         { var a A; return a }

type I interface{ Get() int }
type Impl struct{ v int }

func (i Impl) Get() int { return i.v }

type W struct{ I }

func (w W) Call[X I](x X) int          { return x.Get() + w.Get() }
func (w *W) Bound[X I](x X) func() int { return x.Get }

func prom[X interface{ I }](x X) int { return W{x}.Call(x) }

type Rec[T any] struct{ next *Rec[T] }

func (r *Rec[T]) Depth[U any](n int, u U) string {
	type loc struct {
		t T
		u U
	}
	if n == 0 {
		return fmt.Sprintf("%T", loc{})
	}
	f := func() string {
		g := r.Depth[[]int]
		if n > 1 {
			return r.Depth(n-1, u)
		}
		_ = g
		return r.Depth(n-1, u)
	}
	return f() + fmt.Sprintf(" %T", loc{})
}

type Num interface{ ~int | ~float64 }
type Vec[T Num] []T

func (v Vec[T]) Conv[U Num]() Vec[U] {
	r := make(Vec[U], len(v))
	for i, x := range v {
		r[i] = U(x)
	}
	return r
}
func (v Vec[T]) Dot[U Num](w Vec[U]) (s float64) {
	for i := range v {
		s += float64(v[i]) * float64(w[i])
	}
	return
}

type Fn[T any] func(T) T

func (f Fn[T]) Compose[U any](g func(T) U) func(T) U { return func(t T) U { return g(f(t)) } }

type Mp[K comparable, V any] map[K]V

func (m Mp[K, V]) Values[W any](f func(K, V) W) (r []W) {
	for k, v := range m {
		r = append(r, f(k, v))
	}
	return
}

type Ch[T any] chan T

func (c Ch[T]) Send[U any](conv func(U) T, us ...U) {
	go func() {
		defer close(c)
		for _, u := range us {
			c <- conv(u)
		}
	}()
}

type B bool

func (b B) Pick[T any](x, y T) T {
	if b {
		return x
	}
	return y
}

type big struct{ a [100]int }

func (b big) At[I ~int | ~uint8](i I) int          { return b.a[i] }
func (b *big) Set[I ~int | ~uint8](i I, v int) big { b.a[i] = v; return *b }

func typed[T any](x any) (ok bool) {
	switch v := x.(type) {
	case interface{ M(T) T }:
		return v != nil
	case func(T) (int, T):
		return true
	}
	return false
}

type E struct{ T }
type F struct{ *E }
type H struct{ F }

func main() {
	t := &T{3}
	fmt.Println(t.M("x"))
	f := t.M[T]
	fmt.Println(f(T{4}))
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(PT.M[int]).Pointer()).Name() != "")
	fmt.Println(M{}.M[M](), M{}.M[Mxyz](), M{}.M[GG[M, Mxyz]]())
	g := AL[string]{"a", 1}
	fmt.Println(g.Sw('c'))
	fmt.Println(g.Blank("b"))
	fmt.Printf("%q\n", g.Blank2[int]())
	fmt.Println(W{Impl{5}}.Call(Impl{6}), prom(Impl{7}), prom[I](Impl{8}), (&W{Impl{1}}).Bound(Impl{9})(), W{Impl{1}}.Call[I](W{Impl{2}}))
	fmt.Println((&Rec[int]{}).Depth(2, "s"))
	fmt.Println(Vec[int]{1, 2, 3}.Conv[float64]().Dot(Vec[int]{4, 5, 6}))
	fmt.Println(Fn[int](func(i int) int { return i * 2 }).Compose(func(i int) string { return fmt.Sprint("c", i) })(21))
	fmt.Println(Mp[string, int]{"a": 1}.Values(func(k string, v int) string { return k + fmt.Sprint(v) }))
	c := make(Ch[string])
	c.Send(func(i int) string { return fmt.Sprint(i) }, 1, 2, 3)
	for s := range c {
		fmt.Print(s, " ")
	}
	fmt.Println(B(true).Pick(1, 2), B(false).Pick("x", "y"))
	var b big
	b2 := b.Set(3, 7)
	at := b.At[uint8]
	b.Set(uint8(3), 8)
	fmt.Println(b.At(3), b2.At(uint8(3)), at(3), big.At[int](b, 3), (*big).Set[int](&b, 1, 2).a[1])
	fmt.Println(typed[int](t), typed[int](t.M[int]), typed[string](t.M[int]))
	h := H{F{&E{T{11}}}}
	fmt.Println(h.M(1.5))
	hm := H.M[string]
	fmt.Println(hm(h, "h"))
	hv := h.M[bool]
	h.E = nil
	fmt.Println(hv(true))
	defer func() {
		fmt.Println(recover())
		defer func() { fmt.Println(recover()) }()
		_ = h.M[bool]
	}()
	hm(h, "nil")
}
