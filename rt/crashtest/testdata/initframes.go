package main

import (
	"fmt"
	"runtime"
	"strings"
)

// Stacks have functions init as they stand in the source, called by the runtime, and the package's
// initialiser only around what gives variables their values.

var x = names("variable")

func names(what string) int {
	pcs := make([]uintptr, 20)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if line := f.Line; strings.HasPrefix(f.Function, "main.") {
			fmt.Println(what, f.Function, line)
		} else {
			fmt.Println(what, f.Function)
		}
	}
	return 1
}

func init() { names("first") }

func init() {
	func() { names("literal") }()
	done := make(chan bool)
	go func() {
		stack := make([]byte, 1000)
		fmt.Printf("%s", stack[:runtime.Stack(stack, false)])
		close(done)
	}()
	<-done
	defer func() { panic(fmt.Sprint("again: ", recover())) }()
	panic("in init")
}

func main() {}
