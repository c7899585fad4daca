// Products of complex64 are computed in float64 and rounded once.
package main

import "fmt"

//go:noinline
func op[T any](x T) T { return x }

func main() {
	for i := 1; i < 40; i++ {
		for j := 1; j < 40; j++ {
			a := op(complex(float32(i)/3, float32(j)/7))
			b := op(complex(float32(j)/11, float32(i)/13))
			fmt.Println(a*b, a/b, a*b/a, a*a*b, (a-b)*(b/a), (a-b)*(b/6-2.5i))
		}
	}
}
