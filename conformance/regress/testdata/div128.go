// Division of 128 bits by 64, which is one instruction that traps.
package main

import (
	"fmt"
	"math/bits"
)

//go:noinline
func d(hi, lo, y uint64) (q, r uint64) { return bits.Div64(hi, lo, y) }

//go:noinline
func rem(hi, lo, y uint) uint { return bits.Rem(hi, lo, y) }

func try(hi, lo, y uint64) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(r)
		}
	}()
	q, r := d(hi, lo, y)
	fmt.Println(q, r, rem(uint(hi), uint(lo), uint(y)))
}

func main() {
	vals := []uint64{0, 1, 2, 3, 12345678901, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	for _, hi := range vals {
		for _, lo := range vals {
			for _, y := range vals {
				try(hi, lo, y)
			}
		}
	}
	f := bits.Div64
	fmt.Println(f(5, 6, 7))
	func() {
		defer func() { fmt.Println(recover()) }()
		defer bits.Div(1, 2, 0)
	}()
}
