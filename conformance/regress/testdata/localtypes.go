// Types declared in a generic function are others in each of its instances, also when what they are made of is the same, and so are
// the instances of other functions and types with them as arguments.
package main

import "fmt"

type small uint16

type pair[K, V any] struct {
	k K
	v V
}

//go:noinline
func (p pair[K, V]) kind() string { return fmt.Sprintf("%T %v", p, p) }

//go:noinline
func kind[T any](x T) string {
	type list []T
	if _, ok := any(x).(list); ok {
		return "list"
	}
	return fmt.Sprintf("%T %T %v", x, list{x}, x)
}

//go:noinline
func sum[T ~[]E, E any](x T) string { return fmt.Sprint(len(x), cap(x), x[len(x)-1]) }

//go:noinline
func same[T any](x T) {
	for range 1 {
		type own []complex128
		fmt.Println(kind(own{1}), pair[own, T]{own{2}, x}.kind(), kind([]own{}), sum(own{3, 4}))
	}
}

//go:noinline
func different[T any](x ...T) {
	type own []T
	type node struct {
		next *node
		x    T
		all  own
	}
	f := func() string { return kind(node{x: x[0], all: x}) + kind(map[string]own{"x": x}) }
	fmt.Println(f(), sum(own(x)), pair[int8, own]{1, x}.kind())
}

func main() {
	same(uint16(1))
	same(small(2))
	same([]small{3})
	different(int8(1), 2, 3)
	different("one", "two", "three")
	different(small(4), 5)
	different([]string{"x"}, nil)
}
