package main

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// A method's wrapper is left out of stack traces, unless it is what panicked. A nil dereference has the frames of a fault.

type I interface{ M() }

type T struct{ x, y int }

func (t T) M() { fmt.Println(names()) }

type E struct{ T }

// names lists the functions that Callers shows, without the test's outermost.
func names() []string {
	pcs := make([]uintptr, 30)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var out []string
	for {
		f, more := frames.Next()
		if !more || f.Function == "main.main" {
			return out
		}
		out = append(out, f.Function)
	}
}

func traced(name string, f func()) {
	defer func() {
		recover()
		fmt.Println(name, names())
		stack := make([]byte, 10000)
		stack = stack[:runtime.Stack(stack, false)]
		fmt.Println(strings.Contains(string(stack), "\nmain.I.M("), strings.Contains(string(stack), "\nmain.(*T).M("))
	}()
	f()
}

//go:noinline
func load(p *T) int { return p.y }

func main() {
	var i I = &E{T{1, 2}}
	i.M()
	f := I.M
	f(i)
	traced("interface", func() { f := I.M; f(nil) })
	traced("pointer", func() { f := (*T).M; f(nil) })
	traced("nil", func() { load(nil) })
	traced("deferred", func() {
		for range 1 {
			var f func()
			defer f()
		}
	})
	frame, more := runtime.CallersFrames([]uintptr{reflect.ValueOf(I.M).Pointer()}).Next()
	fmt.Println(frame.Function, more)
}
