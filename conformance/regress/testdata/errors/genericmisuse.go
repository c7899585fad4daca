//go:build go1.27

package main

import "fmt"

type T struct{ n int }

func (t T) m[P any](x P) P { var unused int; return x }
func (t *T) p[P any](x P) {}

type R[A any] struct{ next *R[[]A] }
func (r R[A]) grow[B any]() { R[[]A]{}.grow[[]B]() }
func (t T) inf[B any](n int) { t.inf[[]B](n - 1) }

type L struct{}
func (L) ok[P interface{ String() string }](p P) string { return p.String() }

func main() {
	T{}.p(1)
	_ = T.p[int]
	fmt.Println(L{}.ok(3))
	var i interface{ m() }
	i.m[int]()
	new(T).m(1)[0]
	_ = [T.m[int]]int{}
	const c = T{}.m(3)
	T{}.m[int] = nil
	&T{}.m[int]
	_ = &T.m[int]
	fmt.Println(T.m == nil, T{}.m[int] == nil)
}
