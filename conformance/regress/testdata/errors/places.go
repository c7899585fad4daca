// Faults that gc sees at another place than go/types, or tells in other words.
package main

import (
	"fmt"
	"unsafe"
)

type T struct {
	x int
	f []byte
}

const (
	c0     = iota
	c1, c2 = 1, 2
	c3
)

type box[P any] struct{ v *P }

type loop[P any] struct{ l loop[*P] }

func none()                   {}
func one(int)                 {}
func two(int, string)         {}
func many(n int, s ...int)    {}
func pair() (int, string)     { return 0, "" }
func send[C any](c C)         { c <- 1 }
func text[S ~string](s S)     {}
func numbers(yield func(int)) {}

func builtins() {
	_ = append()
	_ = cap()
	_ = cap(1, 2)
	close()
	_ = complex(1)
	copy(1)
	delete(1)
	_ = len(pair())
	_ = make()
	_ = new(1, 2)
	panic()
	_ = unsafe.Alignof()
	_ = unsafe.Sizeof(1, 2)
	_ = recover(1)
	println([]int{1}...)
	_ = min()
	_ = len.x
	_ = unsafe.Offsetof()
}

func calls() {
	one()
	two()
	two(1)
	_ = fmt.Sprint(two(1), 1)
	two(pair(), 1)
	many()
	one([]int{1}...)
	_ = int()
	_ = []int()
	var _ [...]int
	_ = T.x
	_ = (*T).f
	numbers(func(string) {})
	numbers(func(string) { none() })
}

func sliced() {
	s := "abc"
	var b []byte = s[1:2]
	b = s[0:1][2:3]
	var t T
	var i int = t.f[1:2]
	i = t.f[1:2][0] + "x"
	p := &s[1:2]
	fmt.Println(b, i, p, s[1:2].x, s[1:2]+1)
	one(s[1:])
	many(1, s[1:])
	_ = s[1:2] == 3
	_ = 3 == s[1:2]
	s[1:2] = "x"
	for range s[1:2].z {
	}
	if s[:1] {
	}
	switch s[:1] {
	case 1:
	}
	c := make(chan int)
	c <- s[:1]
	_ = map[int]int{s[:1]: 1}
	return s[:1]
}

func main() {}
