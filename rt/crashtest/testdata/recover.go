package main

import (
	"errors"
	"runtime"
)

type T struct{ a, b int }
type E struct{ s string }

func (e *E) Error() string { return "E:" + e.s }

type MyStr string
type MyInt int

func try(name string, f func()) {
	defer func() {
		r := recover()
		switch v := r.(type) {
		case nil:
			println(name, "nil")
		case error:
			println(name, "error", v.Error())
		case string:
			println(name, "string", v)
		default:
			println(name, "other")
		}
	}()
	f()
}

func helper() any { return recover() }

type I interface{ M() }
type V struct{ x int }

func (v V) M() { println("V.M", recover() != nil) }

type P struct{ V }

func named() (x int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("recovered")
			x++
		}
	}()
	x = 41
	panic("p")
}

func nested() {
	defer func() { println("outer", recover().(string)) }()
	defer func() {
		defer func() { println("inner", recover().(string)) }()
		panic("second")
	}()
	panic("first")
}

func replaced() {
	defer func() { println("replaced:", recover().(string)) }()
	defer func() { panic("new") }()
	panic("old")
}

func loopdefer(n int) (s int) {
	for i := 0; i < n; i++ {
		defer func() { s += i }()
	}
	return 0
}

//go:noinline
func div(a, b int) int { return a / b }

func main() {
	var s []int
	var arr [4]int
	var m map[string]int
	var p *T
	var i I
	var e any = "str"
	n := 5
	neg := -1
	try("index", func() { _ = s[n] })
	try("index neg", func() { _ = s[neg] })
	try("array", func() { _ = arr[n] })
	try("slice", func() { _ = s[1:n] })
	try("slice2", func() { s = make([]int, 3); _ = s[n:] })
	try("slice3", func() { _ = s[2 : 1*n-4 : n] })
	try("slice4", func() { _ = s[n-1 : n-2] })
	try("str", func() { _ = "abc"[n] })
	try("strslice", func() { _ = "abc"[n:] })
	try("conv", func() { _ = [4]int(s) })
	try("map", func() { m["a"] = 1 })
	try("nil", func() { p.b = 1 })
	try("nil2", func() { println(p.a) })
	try("div", func() { div(1, 0) })
	try("shift", func() { _ = 1 << neg })
	try("iface", func() { i.M() })
	try("assert", func() { _ = e.(int) })
	try("assert2", func() { _ = e.(I) })
	try("assert3", func() { var z any; _ = z.(int) })
	try("assert4", func() { _ = i.(*P) })
	try("close", func() { var c chan int; close(c) })
	try("close2", func() { c := make(chan int); close(c); close(c) })
	try("send", func() { c := make(chan int); close(c); c <- 1 })
	try("make", func() { _ = make([]int, neg) })
	try("hash", func() { mm := map[any]int{}; mm[[]int{1}] = 1 })
	try("cmp", func() { var a, b any = []int{1}, []int{1}; println(a == b) })
	try("nilpanic", func() { panic(nil) })
	try("custom", func() { panic(&E{"x"}) })
	try("helper", func() {
		defer func() { println("helper", helper() == nil) }()
		panic("x")
	})
	try("method", func() {
		defer V{1}.M()
		panic("x")
	})
	try("promoted", func() {
		defer P{V{1}}.M()
		panic("x")
	})
	try("viaiface", func() {
		var i I = &P{V{1}}
		defer i.M()
		panic("x")
	})
	try("methodvalue", func() {
		f := P{V{1}}.M
		defer f()
		panic("x")
	})
	try("nilfunc", func() { var f func(); f() })
	x, err := named()
	println(x, err.Error())
	nested()
	replaced()
	println(loopdefer(10))
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { println("goexit", recover() == nil) }()
		func() { defer func() { recover() }(); exit() }()
		println("not reached")
	}()
	<-done
	println("done")
}
func exit() {
	defer func() { defer func() { recover() }(); panic("in goexit") }()
	runtime.Goexit()
}
