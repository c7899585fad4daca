// Prints which frames of a stack have a function.
package main

import (
	"fmt"
	"runtime"
)

func stack() []uintptr { return callers() }

func callers() []uintptr {
	pcs := make([]uintptr, 10)
	return pcs[:runtime.Callers(1, pcs)]
}

func main() {
	frames := runtime.CallersFrames(stack())
	for {
		f, more := frames.Next()
		fmt.Println(f.Function, f.Func.Name())
		if !more {
			return
		}
	}
}
