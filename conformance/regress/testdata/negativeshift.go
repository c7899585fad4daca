// Shifts by a variable that go/ssa knows to be a negative constant: they gave 0 or the sign instead of a panic.
package main

import "fmt"

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	try(func() {
		n := -1
		x := 1 << n
		fmt.Println(x)
	})
	try(func() {
		var n int64 = -5
		x := int8(-3)
		x >>= n
		fmt.Println(x)
	})
	try(func() {
		n := 70
		fmt.Println(uint64(1)<<n, int64(-1)>>n)
	})
}
