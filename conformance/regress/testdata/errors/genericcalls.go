//go:build go1.27

package main

type T struct{}

func (T) m[P any](x P) P { return x }
func (T) two[A, B any](a A) B { panic(0) }
func (T) con[A interface{ ~int | ~string }](a A) {}
func (T) cmp[A comparable](a A) {}

type I interface{ m(int) int }

func need[X any](I2[X]) {}

type I2[P any] interface{ m(P) P }

func main() {
	var x T
	var _ int = x.m(3.14)
	_ = x.m
	_ = T.m
	_ = x.two(1)
	x.two[int](1)
	x.m[int, string](1)
	x.con(2.5)
	x.cmp([]int{})
	var _ I = x
	var _ I = T{}
	_ = any(x).(I)
	need(x)
	x.m[int]
	x.m[undefined](1)
	f := x.m
	x.nope[int](1)
	var _ func(int) string = x.m
	var _ func(int) string = T.m
}
