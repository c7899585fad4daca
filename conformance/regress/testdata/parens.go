// A traceback says of a function without parameters that it was called with none.
package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

type T struct{ n int }

//go:noinline
func (t *T) method() { lines() }

//go:noinline
func takes(n int) { (&T{n}).method() }

//go:noinline
func variadic(ns ...int) { takes(len(ns)) }

//go:noinline
func generic[X any]() { variadic(1, 2) }

//go:noinline
func blank(_ int) { generic[int]() }

//go:noinline
func nothing() (int, string) {
	blank(1)
	return 1, ""
}

// inner has been inlined elsewhere, and is called by pointer here.
func inner() { nothing() }

var pointer = inner

//go:noinline
func lines() {
	for line := range strings.Lines(string(debug.Stack())) {
		name, ok := strings.CutSuffix(strings.TrimSpace(line), ")")
		if i := strings.LastIndexByte(name, '('); ok && i > 0 {
			fmt.Println(name[:i], name[i:] == "(")
		}
	}
}

func main() {
	inner()
	done := make(chan bool)
	go func() {
		defer func() {
			recover()
			lines()
			close(done)
		}()
		defer pointer()
		panic("x")
	}()
	<-done
}
