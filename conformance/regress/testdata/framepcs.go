// A frame names its function by its PC, less one or not, whatever was inlined.
package main

import (
	"fmt"
	"runtime"
)

type Frame uintptr

func caller() Frame {
	var pcs [3]uintptr
	n := runtime.Callers(2, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	frame, _ := frames.Next()
	return Frame(frame.PC)
}

var initpc = caller()

func in() Frame { return caller() }

func name(f Frame) string { return runtime.FuncForPC(uintptr(f) - 1).Name() }

func main() {
	fmt.Println(name(initpc), name(caller()), name(in()))
	f := func() Frame { return caller() }
	fmt.Println(name(f()))
}
