//go:build go1.20

package main

type T struct{}

func (T) m[P any](x P) P { return x }

type E struct{ x int }
type O struct{ E; y int }

func id[T any](x T) T { return x }

func main() {
	_ = O{x: 1, y: 2}
	var f func(int) int = id
	for range 10 {}
}
