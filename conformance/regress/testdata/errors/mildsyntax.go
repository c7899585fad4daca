// Faults that go/parser takes for such of syntax, beside faults of types.
package main

import "fmt"

type iface interface{ m[T any]() }

func variadic(a ...int, b int) {}

func main() {
	var n int = "text"
	defer fmt.Println
	go fmt.Println
	defer (fmt.Println())
	go func() { defer recover }()
	defer int
	for a, b, c := range []int{} {
	}
	for a, b, c := range n {
	}
	var x [3]int
	for x[0], x[f(1, 2)], x[fmt.Sprint(1, 2)] = range x {
		undefined()
	}
	defer func() {
		go undefined.f
	}
	_ = []int{1}[::3]
}
