package main

// Functions that call runtime.GC, whose frames are cleared of what is not used any more: values that are used by way of instructions without
// code of their own are.

import (
	"fmt"
	"runtime"
)

type reader interface{ read() int }

type sameReader interface{ read() int }

type object struct{ n int }

func (o *object) read() int { return o.n }

type ints []int

//go:noinline
func id[T any](x T) T { return x }

func comparedInterface() bool {
	var x reader = id(&object{1})
	y := sameReader(id(x))
	z := sameReader(x)
	runtime.GC()
	return y == z
}

func otherType() int {
	s := id([]int{3, 1, 2})
	t := ints(s)
	id(0)
	n := len(s)
	runtime.GC()
	return t[0] + n
}

func concatenation() string {
	a, b, c := id("a"), id("b"), id("c")
	s := a + b
	runtime.GC()
	t := s + c
	return t
}

func runes() (n int) {
	s := id("abc")
	id(0)
	n = len(s)
	for i, c := range s {
		n += int(c) * i
		runtime.GC()
	}
	return n
}

func entries() (n int) {
	m := id(map[string]*object{"a": {1}, "b": {2}})
	id(0)
	n = len(m)
	for _, o := range m {
		runtime.GC()
		n += o.n
	}
	return n
}

func arrays() int {
	type objects [9]*object
	v := id(objects{{1}, 8: {5}})
	w := [9]*object(v)
	id(0)
	n := v[0].n
	runtime.GC()
	return n + w[8].n
}

func joined(other bool) int {
	s := id([]int{3, 1, 2})
	id(0)
	t := ints{7}
	if other {
		t = ints(s)
	}
	n := len(s)
	for range 2 {
		runtime.GC()
		n += t[0]
	}
	return n
}

func main() {
	fmt.Println(comparedInterface(), otherType(), concatenation(), runes(), entries(), arrays(), joined(true), joined(false))
}
