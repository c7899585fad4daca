// LastIndexByte at all lengths and places, at the edges of a page too, against a loop: overlay/internal/bytealg/lastindexbyte.gas.
package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
)

func naive(b []byte, c byte) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == c {
			return i
		}
	}
	return -1
}

func main() {
	m, _ := syscall.Mmap(-1, 0, 3*4096, 3, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	syscall.Mprotect(m[:4096], 0)
	syscall.Mprotect(m[2*4096:], 0)
	p := m[4096 : 2*4096]
	r := rand.New(rand.NewPCG(5, 6))
	bad := 0
	for range 100000 {
		n := r.IntN(200)
		if r.IntN(2) == 0 {
			n = r.IntN(20)
		}
		at := r.IntN(4096 - n + 1)
		switch r.IntN(3) {
		case 0:
			at = 0
		case 1:
			at = 4096 - n
		}
		for i := max(0, at-20); i < min(4096, at+n+20); i++ {
			p[i] = byte(r.IntN(1 + n*r.IntN(2)))
		}
		c := byte(r.IntN(3))
		if bytes.LastIndexByte(p[at:at+n], c) != naive(p[at:at+n], c) || strings.LastIndexByte(string(p[at:at+n]), c) != naive(p[at:at+n], c) {
			bad++
		}
	}
	fmt.Println("bad", bad)
}
