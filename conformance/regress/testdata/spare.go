// What lies between length and capacity of a conversion to a slice was what the memory had been used for before.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

var (
	bytes []byte
	runes []rune
)

func use(n int) {
	for range 1000 {
		bytes, runes = make([]byte, n), make([]rune, n/4)
		for i := range bytes {
			bytes[i] = 0xee
		}
		for i := range runes {
			runes[i] = -1
		}
	}
	bytes, runes = nil, nil
}

func spare[T byte | rune](s []T) (n int) {
	for _, x := range s[len(s):cap(s)] {
		if x != 0 {
			n++
		}
	}
	return n
}

func main() {
	for _, n := range []int{3, 20, 100, 130, 200, 250, 600, 1100, 5000, 33000, 70000} {
		use(n + n/10)
		runtime.GC()
		s := strings.Repeat("x", n)
		var bad [3]int
		for range 300 {
			bytes = []byte(s)
			bad[0] += spare(bytes)
			bytes = []byte(s + s[:2])
			bad[1] += spare(bytes)
			runes = []rune(s[:n/4+1])
			bad[2] += spare(runes)
		}
		fmt.Println(n, bad, cap(bytes), cap(runes))
	}
}
