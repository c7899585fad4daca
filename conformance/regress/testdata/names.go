// Variables with names that go/ssa gives to what it makes itself were taken for that: the index of a loop over a slice, which is never
// negative and compared with a length, the array that make slices, and that of variadic arguments.
package main

import (
	"fmt"
	"unsafe"
)

//go:noinline
func count(n int) (c int) {
	rangeindex := -1
	for {
		rangeindex = rangeindex + 1
		if rangeindex < n {
			if c++; c > 100 {
				return c
			}
			continue
		}
		return c
	}
}

//go:noinline
func cut(n int) (s []int) {
	defer func() { fmt.Println(recover()) }()
	var makeslice [10]int
	makeslice[3] = n
	return makeslice[:n]
}

//go:noinline
func made(n int) (s []int) {
	defer func() { fmt.Println(recover()) }()
	return make([]int, n, 10)
}

//go:noinline
func pointer() *int { return new(int) }

//go:noinline
func number(list ...uintptr) int { return len(list) }

//go:noinline
func sometimes(c bool) int {
	var varargs [2]uintptr
	if c {
		varargs[0] = uintptr(unsafe.Pointer(pointer()))
	}
	return number(varargs[:]...)
}

func main() {
	fmt.Println(count(3), count(-3))
	fmt.Println(cut(4), cut(11))
	fmt.Println(made(4), made(11))
	fmt.Println(sometimes(true), sometimes(false))
}
