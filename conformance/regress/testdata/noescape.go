// Functions called noescape were taken for what hides a pointer from escape analysis, whatever their bodies did with it.
package main

import (
	"fmt"
	"unsafe"
)

type triple struct{ a, b, c int }

var kept unsafe.Pointer

func noescape(p unsafe.Pointer) unsafe.Pointer { return p }

func NoEscape(p unsafe.Pointer) *triple {
	kept = p
	return (*triple)(p)
}

//go:noinline
func returned(n int) *triple {
	t := triple{n, n + 1, n + 2}
	return (*triple)(noescape(unsafe.Pointer(&t)))
}

//go:noinline
func stored(n int) {
	t := triple{n, n + 1, n + 2}
	NoEscape(unsafe.Pointer(&t))
}

//go:noinline
func overwrite(n int) (sum int) {
	var a [100]int
	for i := range a {
		a[i] = n
	}
	for i := range a {
		sum += a[i*7%len(a)]
	}
	return sum
}

func main() {
	p := returned(5)
	stored(9)
	fmt.Println(overwrite(77))
	fmt.Println(*p, *(*triple)(kept))
}
