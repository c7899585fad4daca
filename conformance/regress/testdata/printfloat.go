// The builtin print and println wrote the digits of a float64 for float32 and complex64.
package main

import "syscall"

type celsius float32

//go:noinline
func op[T any](x T) T { return x }

func main() {
	if err := syscall.Dup3(1, 2, 0); err != nil { // the test reads standard output
		panic(err)
	}
	println(op(float32(2)/3), op(2./3), op(celsius(0.1)), float32(1e38), float32(1e-45), float32(16777216))
	println(op(complex64(complex(1./3, -0.7))), op(complex(1./3, -0.7)))
	var zero float32
	print(1/zero, " ", -1/zero, " ", zero/zero, " ", -zero, " ", complex(1/zero, zero), "\n")
}
