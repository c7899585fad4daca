//go:build go1.27

package main

type T struct{}

func (T) m[P any](x P) P { return x }
func (T) m[Q any](x Q) Q { return x }
func (T) unused[P any]() {}
func (T) dup[P, P any](x P) {}
func (t T) shadow[T any](x T) T { return x }
func (T) empty[]() {}
func (T) noconstraint[P](x P) {}
func (*T) bad[P any](x Q) {}

type G[A any] struct{}

func (G[A]) m[A any](a A) {}
func (g G[A]) n[B A](b B) {}
func (g G[A]) o[B *A](b B) {}
func (G[A]) _[B any](b B) {}

type I interface {
	m[P any](P)
}
type U interface{ ~int; q[P any]() }

func init[P any]() {}
func main[P any]() {}
func (T) init[P any]() {}
