package main

// Sizes beyond what an int64, an address space or an immediate operand holds.

import (
	"fmt"
	"reflect"
)

type pair struct{ a, b uint64 }

type page [8192]byte

// pointers is 2 GB; the write barrier of a copy is told its size.
type pointers [1 << 28]*int

//go:noinline
func copyPointers(p, q *pointers) { *p = *q }

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

// Makes whose capacity is a constant; the first slices do not escape.
func makes(n int) {
	try("length", func() { s := make([]int64, 1<<61); fmt.Println(len(s)) })
	try("capacity", func() { s := make([]int64, n, 1<<61); fmt.Println(len(s)) })
	try("both", func() { s := make([]int64, n<<61, 1<<61); fmt.Println(len(s)) })
	try("negative", func() { s := make([]int64, -n, 1<<61); fmt.Println(len(s)) })
	try("wraps to 0", func() { s := make([]pair, 1<<60); fmt.Println(len(s)) })
	try("wraps to a page", func() { s := make([]page, 1<<51+1); fmt.Println(len(s)) })
	try("escapes", func() { s := make([]pair, 1<<60); s[5].a = 3; fmt.Println(s) })
	try("bytes", func() { s := make([]byte, 1<<49); fmt.Println(len(s)) })
	try("nothing", func() { s := make([]struct{}, 1<<62); fmt.Println(len(s)) })
	try("small capacity", func() { s := make([]int64, n<<46, 3); fmt.Println(len(s)) })
	try("after a call", func() { s := make([]int64, n+len(fmt.Sprint(n)), 1<<60); fmt.Println(len(s)) })
}

func main() {
	makes(1)
	try("a variable", func() { var makeslice [5]int; n := 7; fmt.Println(makeslice[:n]) })
	try("copy", func() { copyPointers(nil, nil) })
	huge := reflect.ArrayOf(1<<50, reflect.TypeFor[byte]())
	fmt.Println(huge.Size())
	reflect.New(huge) // out of memory
}
