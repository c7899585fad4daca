// Closures prints the names of function literals and of the bodies of loops over functions.
package main

import (
	"fmt"
	"runtime"
)

//go:noinline
func iter(yield func(int) bool) { yield(1) }

//go:noinline
func call(f func()) { f() }

func name(l string) {
	pc, _, line, _ := runtime.Caller(1)
	fmt.Println(l, runtime.FuncForPC(pc).Name(), line)
}

//go:noinline
func where() { _, _, l, _ := runtime.Caller(2); fmt.Println("caller line", l) }

func main() {
	call(func() { name("a") })
	for range iter {
		where()
		call(func() {
			name("b")
			call(func() { name("b1") })
			for range iter {
				name("br")
				call(func() { name("br1") })
			}
		})
		for range iter {
			name("rr")
			call(func() { name("c") })
		}
		name("r")
	}
	call(func() {
		name("d")
		for range iter {
			call(func() { name("e") })
		}
		call(func() { name("f") })
	})
	for range iter {
		name("r2")
		call(func() { name("g") })
	}
	call(func() { name("h") })
}
