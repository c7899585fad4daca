package main

import (
	"fmt"
	"runtime"
	"strings"
)

// Libraries of errors look for runtime.doInit in a stack, to know an error that was made while
// packages were initialised.

var made = initialising()

var inClosure = func() string { return initialising() }()

func initialising() (found string) {
	pcs := make([]uintptr, 20)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") {
			found += " " + f.Function
		}
		if !more {
			return found
		}
	}
}

func init() { fmt.Println("init:", initialising()) }

func main() {
	fmt.Println("variable:", made)
	fmt.Println("closure:", inClosure)
	fmt.Println("main:", initialising())
}
