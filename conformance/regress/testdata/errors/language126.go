//go:build go1.26

package main

type T struct{}

func (T) m[P any](x P) P { return x }

type E struct{ x int }
type O struct{ E; y int }

func main() {
	_ = T{}.m(1)
	_ = O{x: 1, y: 2}
}
