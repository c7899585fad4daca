// Conversions of floats out of range give what gc's code gives, also 64-bit unsigned ones.
package main

import (
	"fmt"
	"math"
)

//go:noinline
func a(f float64) (int8, int16, int32, int64, int) {
	return int8(f), int16(f), int32(f), int64(f), int(f)
}

//go:noinline
func b(f float64) (uint8, uint16, uint32, uint64, uint, uintptr) {
	return uint8(f), uint16(f), uint32(f), uint64(f), uint(f), uintptr(f)
}

//go:noinline
func c(f float32) (int8, int16, int32, int64, int) {
	return int8(f), int16(f), int32(f), int64(f), int(f)
}

//go:noinline
func d(f float32) (uint8, uint16, uint32, uint64, uint, uintptr) {
	return uint8(f), uint16(f), uint32(f), uint64(f), uint(f), uintptr(f)
}

func main() {
	for _, f := range []float64{0, 1.9, -1.9, 127.9, 128, -129, 255, 256, 300, 32768, -32769, 65536, 1 << 31, -1<<31 - 1, 1<<32 + 5, 1 << 62, 1 << 63, 1<<63 + 4096, 1<<64 - 2048, 1 << 64, 1 << 65, -1 << 63, -1 << 64, 1e38, -1e38, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e300} {
		fmt.Println(f)
		fmt.Println(a(f))
		fmt.Println(b(f))
		fmt.Println(c(float32(f)))
		fmt.Println(d(float32(f)))
	}
	var z float64
	// constants for the optimiser
	fmt.Println(uint64(1/z), uint64(z/z), uint32(1/z), int32(1/z), int64(1/z), uint8(300+z), uint64(-5+z), uint64(1e30+z))
}
