package main

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

// Additions of two, three and more strings, of lengths around those that fit into the frame and
// those that memmove takes in one way, results that stay and results that leave.

//go:noinline
func two(x, y string) string { return x + y }

//go:noinline
func three(x, y, z string) string { return x + y + z }

//go:noinline
func four(w, x, y, z string) string { return w + x + y + z }

//go:noinline
func stays(x, y, z, want string) bool { return x+y == want[:len(x)+len(y)] && x+y+z == want }

// shared tells whether s is the memory of t.
func shared(s, t string) bool { return unsafe.StringData(s) == unsafe.StringData(t) }

func main() {
	text := strings.Repeat("abcdefghijklmnopqrstuvwxyz0123456789", 8)
	sizes := []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 128, 200}
	wrong := 0
	for _, a := range sizes {
		for _, b := range sizes {
			x, y := text[:a], text[50:50+b]
			if s := two(x, y); s != string(append([]byte(x), y...)) {
				fmt.Println("two", a, b, s)
				wrong++
			}
			for _, c := range sizes {
				z := text[3 : 3+c]
				want := string(append(append([]byte(x), y...), z...))
				if s := three(x, y, z); s != want {
					fmt.Println("three", a, b, c, s)
					wrong++
				}
				if s := four(z, x, y, z); s != z+want {
					fmt.Println("four", a, b, c, s)
					wrong++
				}
				if !stays(x, y, z, want) {
					fmt.Println("stays", a, b, c)
					wrong++
				}
			}
		}
	}
	long := text[:100]
	fmt.Println(wrong, shared(two("", long), long), shared(two(long, ""), long), shared(three("", long, ""), long), shared(three("x", long, ""), long))
	fmt.Println(testing.AllocsPerRun(100, func() { two("", long) }), testing.AllocsPerRun(100, func() { two("x", long) }), testing.AllocsPerRun(100, func() { stays("x", "y", "z", "xyz") }))
}
