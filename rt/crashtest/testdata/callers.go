package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

type S struct{ x int }

func (s *S) Method(n int) int {
	pc, file, line, ok := runtime.Caller(0)
	fmt.Println(runtime.FuncForPC(pc).Name(), file[strings.LastIndex(file, "/")+1:], line, ok)
	return leaf(n)
}

func leaf(n int) int {
	var pcs [20]uintptr
	k := runtime.Callers(0, pcs[:])
	fr := runtime.CallersFrames(pcs[:k])
	for {
		f, more := fr.Next()
		fmt.Println(f.Function, f.File[strings.LastIndex(f.File, "/")+1:], f.Line)
		if !more {
			file, _ := runtime.FuncForPC(pcs[k-1]).FileLine(pcs[k-1])
			fmt.Println("outermost", f.File[strings.LastIndex(f.File, "/src/")+1:], file == f.File)
			break
		}
	}
	return n
}

func gen[T any](x T) {
	_, _, line, _ := runtime.Caller(0)
	pc, _, l2, _ := runtime.Caller(1)
	fmt.Println(line, l2, runtime.FuncForPC(pc).Name())
}

// inlined asks what a library of errors with stacks does.
func inlined() {
	for _, pc := range stackOf() {
		f := runtime.FuncForPC(pc - 1)
		file, line := f.FileLine(pc - 1)
		fmt.Println(f.Name(), file[strings.LastIndex(file, "/")+1:], line)
	}
}

func stackOf() []uintptr {
	return smaller()
}

func smaller() []uintptr {
	pcs := make([]uintptr, 10)
	return pcs[:runtime.Callers(1, pcs)-2]
}

func rec(n int) {
	if n == 0 {
		panic(fmt.Errorf("deep %d", n))
	}
	rec(n - 1)
	fmt.Print()
}

func main() {
	(&S{1}).Method(3)
	func() { leaf(2) }()
	gen(1)
	inlined()
	gen("x")
	buf := make([]byte, 4096)
	fmt.Print(string(buf[:runtime.Stack(buf, false)]))
	c := make(chan int)
	go func() { <-c }()
	for !strings.Contains(string(buf[:runtime.Stack(buf, true)]), "[chan receive]") {
		runtime.Gosched() // the goroutine may be on another P, and its thread without a CPU
	}
	fmt.Print(string(buf[:runtime.Stack(buf, true)]))
	if len(os.Args) > 1 {
		rec(200)
	}
	var p *S
	p.x = 1
}
