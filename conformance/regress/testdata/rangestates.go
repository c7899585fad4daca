// Iterators that call the body of a loop when they must not, or hide its panic: the panics were strings of go/ssa's, an
// iterator could recover from one and return as if nothing had happened, and a call after the iterator's return was
// reported as one after a break. (internal/lower/rangefunc.go)
package main

import (
	"fmt"
	"runtime"
)

type seq = func(yield func(int) bool)

// stubborn goes on after the body has returned false.
func stubborn(yield func(int) bool) {
	for i := range 3 {
		yield(i)
	}
}

var kept func(int) bool

// keeping keeps the body beyond its own return.
func keeping(yield func(int) bool) {
	kept = yield
	yield(1)
}

// swallowing hides panics of the body.
func swallowing(yield func(int) bool) {
	defer func() { fmt.Println("swallowed:", recover()) }()
	yield(1)
}

// again calls the body after it has panicked.
func again(yield func(int) bool) {
	func() {
		defer func() { recover() }()
		yield(1)
	}()
	yield(2)
}

// forgiving goes on after false, and recovers from what that brings.
func forgiving(yield func(int) bool) {
	defer func() { fmt.Println("recovered:", recover()) }()
	for yield(1) || true {
	}
}

func try(name string, f func()) {
	defer func() {
		r := recover()
		_, isRuntime := r.(runtime.Error)
		fmt.Printf("%s: %v (runtime error: %t)\n", name, r, isRuntime)
	}()
	f()
}

func breaks(s seq) {
	for x := range s {
		fmt.Println("body", x)
		break
	}
}

func panics(s seq) {
	for x := range s {
		panic(fmt.Sprint("body ", x))
	}
}

func leaveBoth(outer, inner seq) int {
	for x := range outer {
		for y := range inner {
			if y == 1 {
				return x + y
			}
		}
	}
	return -1
}

func main() {
	try("break, stubborn", func() { breaks(stubborn) })
	try("break, forgiving", func() { breaks(forgiving) })
	try("break, kept", func() { breaks(keeping); kept(2) })
	try("no break, kept", func() {
		for range keeping {
		}
		kept(2)
	})
	try("panic, swallowed", func() { panics(swallowing) })
	try("panic, again", func() { panics(again) })
	try("nested", func() { fmt.Println(leaveBoth(keeping, stubborn)) })
	try("nested, outer stubborn", func() { fmt.Println(leaveBoth(stubborn, keeping)) })
	try("body in body", func() {
		for range keeping {
			kept(5)
		}
	})
}
