package main

import (
	"fmt"
	"path"
	"runtime"
)

// A call has one program counter, from wherever in it the stack is taken, inlined or not. Libraries
// that keep values by goroutine mark stacks with calls that they know by that number.

var next [4]func(n int, f func())

// step is inlined into the marks, and calls at two places.
func step(n int, f func()) {
	if n == 0 {
		f()
	} else {
		next[n&3](n>>2, f)
	}
}

//go:noinline
func mark0(n int, f func()) { step(n, f) }

//go:noinline
func mark1(n int, f func()) { step(n, f) }

//go:noinline
func mark2(n int, f func()) { step(n, f) }

// mark3 has two calls, of which each has a number of its own.
//
//go:noinline
func mark3(n int, f func()) {
	if n == 0 {
		step(n, f)
		return
	}
	step(n, f)
}

// stack returns the frames of the functions of this program that the call of f was made through.
//
//go:noinline
func stack() (pcs []uintptr) {
	pcs = make([]uintptr, 100)
	return pcs[:runtime.Callers(2, pcs)]
}

// names describes each number alone and less one, as libraries of errors do.
func names(pcs []uintptr) {
	for _, pc := range pcs {
		f, g := runtime.FuncForPC(pc), runtime.FuncForPC(pc-1)
		frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		file, line := g.FileLine(pc - 1)
		fmt.Println(f.Name(), g.Name(), path.Base(file), line,
			frame.Function, path.Base(frame.File), frame.Line, frame.PC == pc-1)
		if f.Name() == "main.main" {
			break
		}
	}
}

// from prints the logical frames of numbers.
func from(pcs []uintptr) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		fmt.Print(" ", f.Function, ":", f.Line)
		if !more || f.Function == "main.main" {
			fmt.Println()
			return
		}
	}
}

//go:noinline
func caller() (pc uintptr) {
	pc, _, _, _ = runtime.Caller(4)
	return pc
}

func main() {
	next = [4]func(int, func()){mark0, mark1, mark2, mark3}
	known := map[uintptr]int{}
	for i, f := range next {
		f(0, func() {
			pcs := stack()
			names(pcs)
			known[pcs[2]] = i
		})
	}
	fmt.Println(len(known), "marks")
	for _, n := range []int{0, 1, 0x12, 0x2a, 0x61, 0x3d} {
		mark2(n, func() {
			pcs := stack()
			fmt.Print(n, ":")
			for _, pc := range pcs {
				if mark, ok := known[pc]; ok {
					fmt.Print(" ", mark)
				}
			}
			fmt.Println()
			from(pcs)
			from(pcs[2:])
			frames := runtime.CallersFrames(pcs[:2])
			frames.Next()
			_, more := frames.Next()
			fmt.Println(more)
		})
	}
	fmt.Println(known[at()], known[at()])
}

// at tells which mark Caller finds, through another place than that at which it was made known.
func at() (pc uintptr) {
	mark1(2, func() { pc = caller() })
	return pc
}
