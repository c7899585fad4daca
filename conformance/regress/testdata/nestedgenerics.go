// Generic types that generic functions declare are types of their own in each instance.
package main

import "fmt"

func list[A any](a A) any {
	type node[B any] struct {
		val  B
		of   A
		next *node[B]
	}
	type pair[K comparable, V fmt.Stringer] struct {
		k K
		v V
		a A
	}
	n := &node[int]{val: 1, of: a}
	n.next = &node[int]{2, a, nil}
	if any(n) == any(pair[A1, str]{}) {
		panic("same")
	}
	f := func() any { return node[[]A]{val: []A{a}} }
	fmt.Printf("%T %T %T %v\n", n, f(), pair[string, str]{}, n.next.val)
	return n
}

type A1 int
type str string

func (s str) String() string { return string(s) }

func same[A, B any](a A, b B) bool {
	return fmt.Sprintf("%T", list(a)) == fmt.Sprintf("%T", list(b))
}

func outer[A any]() (r []any) {
	type set[B comparable] map[B]A
	inner := func() { r = append(r, set[int]{1: *new(A)}, set[string]{}) }
	inner()
	return r
}

func main() {
	x, y, z := list(1), list("a"), list(2)
	is := func(a, b any) bool { return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) }
	fmt.Println(is(x, y), is(x, z), is(y, z))
	fmt.Println(same(1, 2), same(1, A1(1)), same(1, []int{}))
	for _, a := range append(outer[int](), outer[str]()...) {
		_, isInt := a.(map[int]int)
		fmt.Printf("%T %v %v\n", a, a, isInt)
	}
}
