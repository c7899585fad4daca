package main

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Cleanups with several captures, of which one keeps the object alive, or is a number that looks like it.

type T struct {
	p *byte
	f int
}

func try(name string, f func(v *T)) {
	defer func() { fmt.Println(name, recover()) }()
	f(&T{})
}

func generic[E any](v *T, e E) { runtime.AddCleanup(v, func(int) { fmt.Println(e, v) }, 0) }

func main() {
	name, n := "x", 7
	try("last", func(v *T) { runtime.AddCleanup(v, func(int) { fmt.Println(name, n, v.f) }, 0) })
	try("first", func(v *T) { runtime.AddCleanup(v, func(int) { fmt.Println(v.f, name, n) }, 0) })
	try("inside", func(v *T) { p := &v.f; runtime.AddCleanup(v, func(int) { fmt.Println(name, n, p) }, 0) })
	try("struct", func(v *T) {
		s := struct {
			a int
			t *T
		}{n, v}
		runtime.AddCleanup(v, func(int) { fmt.Println(name, n, s) }, 0)
	})
	try("interface", func(v *T) { var i any = v; runtime.AddCleanup(v, func(int) { fmt.Println(name, n, i) }, 0) })
	try("number", func(v *T) {
		k := uintptr(unsafe.Pointer(v))
		runtime.AddCleanup(v, func(int) { fmt.Println(name, n, k) }, 0)
	})
	try("variable", func(v *T) {
		f := func(int) { fmt.Println(name, v) }
		if n > 3 {
			f = func(int) { fmt.Println(n, name, v) }
		}
		runtime.AddCleanup(v, f, 0)
	})
	try("generic", func(v *T) { generic(v, name) })
	try("other", func(v *T) { w := &T{}; runtime.AddCleanup(v, func(int) { fmt.Println(name, n, w) }, 0) })
}
