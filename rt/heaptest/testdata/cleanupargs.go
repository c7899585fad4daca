package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Cleanups that know the address of their object as a number, and one of an object that shares a block with others.

type T struct {
	p *int
	a [5]int
}

var mu sync.Mutex
var reg = map[string]int{}

func note(s string) { mu.Lock(); reg[s]++; mu.Unlock() }

//go:noinline
func set(i int) {
	t := &T{}
	runtime.AddCleanup(t, func(k uintptr) { note("arg") }, uintptr(unsafe.Pointer(t)))
	u := &T{}
	key := uintptr(unsafe.Pointer(u))
	runtime.AddCleanup(u, func(int) { _ = key + 1; note(fmt.Sprint("captured", key == 0)) }, 1)
	v := &T{}
	runtime.AddCleanup(v, func(k struct {
		a int
		b uint64
	}) {
		note("struct")
	}, struct {
		a int
		b uint64
	}{1, uint64(uintptr(unsafe.Pointer(v)))})
	w := new(int8)
	runtime.AddCleanup(w, func(k int8) { note("tiny") }, 5)
}

//go:noinline
func clean(n int) int {
	var a [100]int
	for i := range a {
		a[i] = n
	}
	return a[n%100]
}

func main() {
	for i := range 100 {
		set(i)
	}
	clean(3)
	for range 20 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	mu.Lock()
	for _, k := range []string{"arg", "capturedfalse", "struct", "tiny"} {
		fmt.Println(k, reg[k] > 50)
	}
}
