// Boxing must not take a struct for the string or slice that it looks like in memory.
package main

import "fmt"

type likeString struct {
	m map[uint16]bool
	n uint
}

type likeSlice struct {
	p    *int
	a, b int
}

type named []int

//go:noinline
func boxed(v any) any { return v }

func main() {
	fmt.Println(boxed(likeString{map[uint16]bool{5: true}, 0}), boxed(likeString{nil, 3}))
	fmt.Println(boxed(likeSlice{nil, 4, 5}), boxed(likeSlice{}))
	fmt.Println(boxed(""), boxed(named(nil)) == nil, boxed([]int{}), len(boxed("abc").(string)))

	inf := complex64(complex(1, 2))
	for _, zero := range []complex128{0, complex(-1/1e308/1e308, 0)} {
		q := complex128(inf) / zero
		fmt.Println(q, q/complex(5, -3.375), complex(1, 1)/q, q/q)
	}
}
