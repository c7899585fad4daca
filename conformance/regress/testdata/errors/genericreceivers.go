//go:build go1.27

package main

type T struct{}

func (T) m[P any](x P) P { return x }

func (T[A]) o[P any]() {}
func (A) p[A any]() {}
func (int) q[P any]() {}
func (x *[]T) r[P any]() {}
func (P) s[P any](P) {}

type G[A any] struct{}
func (G) t[P any]() {}
func (G[int]) u[P any](int) {}
func (G[A, B]) v[P any]() {}

func main() { var g G[string]; g.u[int](3) }
