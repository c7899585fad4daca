// Branches shows what this processor's predictor of indirect branches goes by: it calls two
// functions in turn, which are nothing but a ret, by pointer, and moves the second so that one bit
// of the address of its ret differs, or none. Prints nanoseconds a call. The same code, whichever
// compiler made the loop.
//
// usage: go run ./bench/branches
package main

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"
)

const (
	ret   = 0xc3
	nop   = 0x90
	first = 0x100 // offset of the first function
	far   = 0x4000
	calls = 3000
)

// code is memory for machine code.
type code []byte

func newCode() (code, error) {
	return syscall.Mmap(-1, 0, 1<<16, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_PRIVATE|syscall.MAP_ANON)
}

// function makes code that starts at an offset and ends with a ret after some nops.
func (c code) function(at, nops int) func() {
	for i := range nops {
		c[at+i] = nop
	}
	c[at+nops] = ret
	closure := &struct{ entry *byte }{&c[at]}
	return *(*func())(unsafe.Pointer(&closure))
}

// measure is the best time of a call of a list's functions one after another.
func measure(list []func()) float64 {
	best := time.Duration(1 << 62)
	for range 30 {
		start := time.Now()
		for range 20 {
			for _, f := range list {
				f()
			}
		}
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / float64(20*len(list))
}

func main() {
	c, err := newCode()
	if err != nil {
		fmt.Println(err)
		return
	}
	pair := func(at, nops int) float64 {
		list := make([]func(), calls)
		one, other := c.function(first, 16), c.function(at, nops)
		for i := range list {
			if list[i] = other; i%3 == 0 {
				list[i] = one
			}
		}
		return measure(list)
	}
	fmt.Printf("same bits          %5.1f ns\n", pair(first+far, 16))
	for bit := range 7 {
		fmt.Printf("ret differs, bit %d %5.1f ns\n", bit, pair(first+far, 16+1<<bit))
	}
	for bit := 4; bit < 8; bit++ {
		fmt.Printf("both differ, bit %d %5.1f ns\n", bit, pair(first+far+1<<bit, 16))
	}
}
