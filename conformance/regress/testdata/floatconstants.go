// What arithmetic of floating-point numbers with constants gives for numbers of all kinds, bit by
// bit: a factor of -1 changes a NaN's sign, and one of 1 leaves it signalling.
package main

import (
	"fmt"
	"math"
)

type float interface{ float32 | float64 }

func values[T float]() []func(x T) T {
	return []func(x T) T{
		func(x T) T { return x + 0 },
		func(x T) T { return 0 + x },
		func(x T) T { return x + 1 },
		func(x T) T { return 1 + x },
		func(x T) T { return x + -1 },
		func(x T) T { return (-1) + x },
		func(x T) T { return x + 2 },
		func(x T) T { return 2 + x },
		func(x T) T { return x + -2 },
		func(x T) T { return (-2) + x },
		func(x T) T { return x + 0.5 },
		func(x T) T { return 0.5 + x },
		func(x T) T { return x + 3 },
		func(x T) T { return 3 + x },
		func(x T) T { return 0 - x },
		func(x T) T { return x - 1 },
		func(x T) T { return 1 - x },
		func(x T) T { return x - -1 },
		func(x T) T { return (-1) - x },
		func(x T) T { return x - 2 },
		func(x T) T { return 2 - x },
		func(x T) T { return x - -2 },
		func(x T) T { return (-2) - x },
		func(x T) T { return x - 0.5 },
		func(x T) T { return 0.5 - x },
		func(x T) T { return x - 3 },
		func(x T) T { return 3 - x },
		func(x T) T { return x * 0 },
		func(x T) T { return 0 * x },
		func(x T) T { return x * 1 },
		func(x T) T { return 1 * x },
		func(x T) T { return x * -1 },
		func(x T) T { return (-1) * x },
		func(x T) T { return x * 2 },
		func(x T) T { return 2 * x },
		func(x T) T { return x * -2 },
		func(x T) T { return (-2) * x },
		func(x T) T { return x * 0.5 },
		func(x T) T { return 0.5 * x },
		func(x T) T { return x * 3 },
		func(x T) T { return 3 * x },
		func(x T) T { return 0 / x },
		func(x T) T { return x / 1 },
		func(x T) T { return 1 / x },
		func(x T) T { return x / -1 },
		func(x T) T { return (-1) / x },
		func(x T) T { return x / 2 },
		func(x T) T { return 2 / x },
		func(x T) T { return x / -2 },
		func(x T) T { return (-2) / x },
		func(x T) T { return x / 0.5 },
		func(x T) T { return 0.5 / x },
		func(x T) T { return x / 3 },
		func(x T) T { return 3 / x },
		func(x T) T { return -x },
		func(x T) T { return -(-x) },
		func(x T) T { return x + x },
		func(x T) T { return -1 * -x },
	}
}

func assignments[T float]() []func(x *T) {
	return []func(x *T){
		func(x *T) { *x += 0 },
		func(x *T) { *x += 1 },
		func(x *T) { *x += -1 },
		func(x *T) { *x += 2 },
		func(x *T) { *x += -2 },
		func(x *T) { *x += 0.5 },
		func(x *T) { *x += 3 },
		func(x *T) { *x -= 1 },
		func(x *T) { *x -= -1 },
		func(x *T) { *x -= 2 },
		func(x *T) { *x -= -2 },
		func(x *T) { *x -= 0.5 },
		func(x *T) { *x -= 3 },
		func(x *T) { *x *= 0 },
		func(x *T) { *x *= 1 },
		func(x *T) { *x *= -1 },
		func(x *T) { *x *= 2 },
		func(x *T) { *x *= -2 },
		func(x *T) { *x *= 0.5 },
		func(x *T) { *x *= 3 },
		func(x *T) { *x /= 1 },
		func(x *T) { *x /= -1 },
		func(x *T) { *x /= 2 },
		func(x *T) { *x /= -2 },
		func(x *T) { *x /= 0.5 },
		func(x *T) { *x /= 3 },
	}
}

// show prints what becomes of a number whose bits are those.
func show[T float](bits uint64, x T, bitsOf func(T) uint64) {
	for i, f := range values[T]() {
		fmt.Printf("%T %d %#x: %#x\n", x, i, bits, bitsOf(f(x)))
	}
	for i, f := range assignments[T]() {
		y := x
		f(&y)
		fmt.Printf("%T = %d %#x: %#x\n", x, i, bits, bitsOf(y))
	}
}

func main() {
	for _, bits := range []uint64{0, 1 << 63, 1, 0x3ff8000000000000, 0x7ff0000000000000, 0xfff0000000000000,
		0x7ff8000000000000, 0xfff8000000000000, 0x7ff8000000001234, 0xfffc000000000001, 0x7ff0000000000001, 0xfff4000000000000} {
		show(bits, math.Float64frombits(bits), math.Float64bits)
	}
	for _, bits := range []uint32{0, 1 << 31, 1, 0x3fc00000, 0x7f800000, 0xff800000,
		0x7fc00000, 0xffc00000, 0x7fc01234, 0xffe00001, 0x7f800001, 0xffa00000} {
		show(uint64(bits), math.Float32frombits(bits), func(x float32) uint64 { return uint64(math.Float32bits(x)) })
	}
}
