package main

import (
	"fmt"
	"math"
)

// Integers of which the compiler knows bounds, and those of which it must not: counters that wrap,
// comparisons on the way, conversions.

//go:noinline
func quotients(x, n int) (r [6]int) {
	if n < 0 {
		return r
	}
	r[0] = n / 2
	r[1] = n % 8
	if x >= 0 && n > 0 {
		r[2], r[3] = x/n, x%n
	}
	if n > 1 {
		r[4], r[5] = x/n, x%n
	}
	return r
}

//go:noinline
func wrapping8(step int8) (sum int) {
	n := 0
	for i := int8(0); i < 125; i += 7 { // passes 125 by wrapping
		sum = sum*3 + int(i)/2 + int(i)%5
		if n++; n > 100 {
			break
		}
	}
	for i := int8(-3); i <= 127; i++ { // never ends by itself
		sum = sum*3 + int(i/2) + int(i>>1)
		if n++; n > 600 {
			break
		}
	}
	for i := uint8(5); i >= 0; i-- {
		sum = sum*3 + int(i/3)
		if n++; n > 1000 {
			break
		}
	}
	for i := int8(100); i > -100; i -= step {
		sum = sum*3 + int(i)/2
		if n++; n > 1500 {
			break
		}
	}
	return sum
}

//go:noinline
func wrapping(from, to int) (sum, n int) {
	for i := from; i <= to; i += 3 {
		sum = sum*5 + i/2 + i%8
		if n++; n > 10 {
			break
		}
	}
	for i := from; i != to; i++ {
		sum = sum*5 + i/4
		if n++; n > 20 {
			break
		}
	}
	for i := 0; ; i -= math.MinInt64 / 2 {
		sum = sum*5 + i/2
		if n++; n > 30 {
			break
		}
	}
	return sum, n
}

//go:noinline
func between(x, y int) (r int) {
	switch {
	case x < -5:
		r = x / 4
	case x < 0 && y > x:
		r = x/2 + y/2
	case x == y:
		r = x / 3
	case x > y && y >= 0:
		r = x/2 + y%4
	}
	if !(x < 0) && x != 0 {
		r += 100 / x
	}
	return r
}

//go:noinline
func converted(x int, u uint64, b byte) (r []int) {
	r = append(r, int(uint8(x))/2, int(int8(x))/2, int(uint32(x))%7, int(int32(u))/3)
	r = append(r, int(u)/2, int(u%1000)/2, int(u>>1)/2, int(u&0xff)%10, int(b-1)/2, int(b)*int(b)/2)
	r = append(r, int(int8(b)+100)/2, -int(b)/2, int(-b)/2, (x&15-8)/2, (x|1)/2, (x^x>>1)/2)
	return r
}

//go:noinline
func shifts(x int, n int8, c uint) (r int) {
	defer func() {
		if p := recover(); p != nil {
			r = -1
			fmt.Println(p)
		}
	}()
	if n < 70 {
		r = x<<n | x>>n
	}
	if c < 64 {
		r ^= x<<c ^ x>>c
	}
	return r ^ x>>(n&127) ^ x<<(c%65)
}

//go:noinline
func elements(table *[8]int, x int, b byte) (r int) {
	defer func() {
		if p := recover(); p != nil {
			r = -1
			fmt.Println(p)
		}
	}()
	r = table[x&7] + table[b%8] + table[b>>5]
	for i := range 8 {
		r += table[i] * i
	}
	for i := 7; i >= 0; i-- {
		r += table[i] / (i + 1)
	}
	return r + table[x%8]
}

func main() {
	numbers := []int{0, 1, -1, 2, 3, -3, 7, 8, 63, 64, 69, 100, 127, -128, 255, 256, 1 << 31, -1 << 31, 1<<32 + 5, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1}
	for _, x := range numbers {
		for _, y := range numbers {
			fmt.Println(x, y, quotients(x, y), between(x, y), converted(x, uint64(y), byte(y)), shifts(x, int8(y), uint(y)), shifts(x, int8(y), uint(y)&63))
			fmt.Println(wrapping(x, y))
		}
		fmt.Println(elements(&[8]int{5, 9, 100, 3, 7, -8, 77, 1}, x, byte(x)))
	}
	fmt.Println(wrapping8(1), wrapping8(7), wrapping8(100))
}
