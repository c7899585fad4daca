package main

type T struct{}

func con[A interface{ ~int | ~string }](a A)            {}
func two[A interface{ ~int | ~string }, B any](b B, a A) {}

type N[A any] struct{}

func (N[A]) m() {}

func h[A interface{ m() }](a A) func() { return nil }
func k[A comparable]()                 {}

func main() {
	con(2.5)
	con[float64](2.5)
	two[int8](1, 2)
	two(1, int8(3))
	h(3)
	k[[]int]()
	if true {
		h(T{})()
		h(3)()
	}
}
