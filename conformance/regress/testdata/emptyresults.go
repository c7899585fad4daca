// Values of no size as several results: LLVM's vectorizer crashes where they are put together, unless that is avoided.
package main

import "fmt"

type N struct{ f struct{} }
type A [1]struct{ _ [1]struct{} }
type Z struct {
	a [0]int
	b struct{}
}

//go:noinline
func two(a, b N) (N, N) { return b, a }

//go:noinline
func three(a, b A) (A, A, A) { return b, a, a }

//go:noinline
func plain(a, b struct{}) (struct{}, struct{}) { return b, a }

//go:noinline
func mixed(a N, n int, z Z) (N, int, Z, struct{}) { return a, n + 1, z, struct{}{} }

//go:noinline
func either(n int, a N, b A) (N, A) {
	if n > 0 {
		return a, b
	}
	return N{}, A{}
}

func gen[T any](x, y T) (T, T) { return y, x }

func main() {
	fmt.Println(two(N{}, N{}))
	fmt.Println(three(A{}, A{}))
	fmt.Println(plain(struct{}{}, struct{}{}))
	fmt.Println(mixed(N{}, 1, Z{}))
	fmt.Println(either(1, N{}, A{}))
	fmt.Println(gen(Z{}, Z{}))
	f := func(a, b N) (x, y N) { defer func() { recover() }(); return b, a }
	fmt.Println(f(N{}, N{}))
}
