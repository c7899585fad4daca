// Objects of all sizes: zero when new, aligned, apart from each other; capacities after
// append; panics for absurd sizes.
package main

import (
	"fmt"
	"strings"
	"unsafe"
)

var keep [][]byte
var words [][]*int
var s []string // not a local: gc would start it on the stack, with another capacity
var numbers []int32

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	sum := 0
	for size := 1; size < 200_000; size += 1 + size/7 {
		for range 3 {
			b := make([]byte, size)
			for i := range b {
				if b[i] != 0 {
					panic(fmt.Sprint("not zero: ", size, i))
				}
				b[i] = byte(size)
			}
			if len(keep) < 400 {
				keep = append(keep, b)
			}
			w := make([]*int, size/8+1)
			for i := range w {
				if w[i] != nil {
					panic(fmt.Sprint("not nil: ", size, i))
				}
				w[i] = new(int)
				*w[i] = i
			}
			if uintptr(unsafe.Pointer(&w[0]))%8 != 0 {
				panic("not aligned")
			}
			words = append(words[:0:0], words[max(0, len(words)-20):]...)
			words = append(words, w)
		}
	}
	for _, b := range keep {
		for _, c := range b {
			if c != byte(len(b)) {
				panic("overwritten")
			}
		}
		sum += len(b)
	}
	for _, w := range words {
		for i, p := range w {
			if *p != i {
				panic("overwritten word")
			}
		}
	}
	fmt.Println(sum, len(words))

	caps := 0
	for i := range 5000 {
		s = append(s, strings.Repeat("x", i%5))
		if cap(s) != caps {
			caps = cap(s)
			fmt.Print(caps, " ")
		}
	}
	numbers = append(numbers, 1, 2, 3, 4, 5)
	keep[0] = append([]byte(nil), "12345"...)
	fmt.Println(cap(keep[0]), cap(numbers))

	n := -1
	try(func() { _ = make([]int, n) })
	try(func() { _ = make([]int, 1, n+1) })
	n = 1 << 62
	try(func() { keep = append(keep, make([]byte, n)) })
	try(func() { _ = make([]int, 10, n) })
	try(func() { words = append(words, make([]*int, n/4)) })
	type empty struct{}
	e := make([]empty, 1<<40)
	e = append(e, empty{})
	fmt.Println(len(e))
}
