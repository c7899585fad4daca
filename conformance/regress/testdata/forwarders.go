package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
)

// Func values of declared functions that are called where the compiler sees which they are: callers must not appear twice.

type T struct{ a int }

//go:noinline
func show() (s []string) {
	pcs := make([]uintptr, 10)
	n := runtime.Callers(1, pcs)
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		s = append(s, fmt.Sprint(f.Function, ":", f.Line))
		if !more {
			return s[:len(s)-2]
		}
	}
}

func (t *T) M() []string { return show() }

func one(f func() []string) []string              { return f() }
func two[X any](f func(X) []string, x X) []string { return f(x) }

func line(skip int) int {
	_, _, line, _ := runtime.Caller(skip)
	return line
}

func apply(f func(int) int, n int) int { return f(n) }

func describe(f any) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	file, line := fn.FileLine(fn.Entry())
	fmt.Println(fn.Name(), filepath.Base(file), line)
}

func main() {
	fmt.Println(one(show))
	t := &T{}
	fmt.Println(one(t.M))
	fmt.Println(two((*T).M, t))
	fmt.Println(apply(line, 0), apply(line, 1), apply(line, 2))
	describe(show)
	describe((*T).M)
	describe(apply)
	done := make(chan bool)
	go func(f func(int) int) {
		defer func() {
			fmt.Println(recover())
			done <- true
		}()
		defer func() { panic(fmt.Sprint(recover(), apply(line, 1))) }()
		var none []int
		_ = none[f(0)]
	}(line)
	<-done
}
