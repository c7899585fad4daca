// Faults right before and in deferred calls that returns make in line: what the frame says must be in memory by then.
package main

import (
	"fmt"
	"runtime/debug"
	"unsafe"
)

var bad = uintptr(0x123456789000)

//go:noinline
func load() (ok int) {
	n := 0
	defer func() {
		n++
		if recover() != nil {
			ok = 7 + n
		}
	}()
	return *(*int)(unsafe.Pointer(bad))
}

//go:noinline
func second() (ok int) {
	defer func() {
		if recover() != nil {
			ok += 100
		}
	}()
	defer func() { ok += 10 }()
	defer func() { ok = *(*int)(unsafe.Pointer(bad)) }()
	return 1
}

//go:noinline
func store(p *int) (ok int) {
	defer func() { ok += *p }()
	defer func() {
		if recover() != nil {
			ok++
		}
	}()
	*p = 5
	*(*int)(unsafe.Pointer(bad)) = 3
	*p = 6
	return 1
}

func main() {
	debug.SetPanicOnFault(true)
	var x int
	fmt.Println(load(), second(), store(&x))
}
