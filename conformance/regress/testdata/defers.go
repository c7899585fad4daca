// Deferred calls that returns make in line: order, conditions, recover, panics in between, loops over functions.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

type T struct{ n int }

func (t *T) P()        { fmt.Println("P", t.n) }
func (t T) V(a, b int) { fmt.Println("V", t.n, a, b) }
func (t T) R() (x int) { fmt.Println("R", recover()); return 1 }

type I interface{ V(a, b int) }

//go:noinline
func order(a, b bool) (s string) {
	defer func() { s += "1" }()
	if a {
		defer func() { s += "2" }()
	} else {
		defer func() { s += "3" }()
	}
	if b {
		defer func() { s += "4" }()
		if a {
			return "x"
		}
	}
	defer func() { s += "5" }()
	return "r"
}

//go:noinline
func panics(k int) (s string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered %v", r)
		}
		s += "!"
	}()
	defer func() {
		s += "b"
		if k == 2 {
			panic("in b")
		}
	}()
	if k > 0 {
		defer func() {
			s += "c"
			if k == 3 {
				panic("in c")
			}
		}()
	}
	s = "a"
	if k == 1 {
		panic("body")
	}
	return s + "z", nil
}

type big struct{ a [10]int }

func show(b big, n int) { fmt.Println(b.a[3], n) }

//go:noinline
func bigs() {
	var x big
	x.a[3] = 7
	defer show(x, 1)
	x.a[3] = 8
	var t I = T{5}
	defer t.V(1, 2)
	defer (&T{9}).P()
	defer fmt.Println("deferred", x.a[3], "with", 3.5)
	defer T{3}.V(4, 5)
	m := map[string]int{"a": 1}
	defer func() { fmt.Println(len(m)) }()
	defer delete(m, "a")
	c := make(chan int)
	defer func() { _, ok := <-c; fmt.Println(ok) }()
	defer close(c)
}

var nilf func()

//go:noinline
func nils() {
	defer func() { fmt.Println(recover()) }()
	defer nilf()
	defer fmt.Println("before")
}

//go:noinline
func noresult() int {
	defer T{1}.R()
	defer recover()
	defer func() { recover() }()
	panic(1)
}

//go:noinline
func nested() (err error) {
	defer func() {
		defer func() { fmt.Println("inner recover", recover()) }()
		defer recover()
	}()
	panic(errors.New("x"))
}

func outer() {
	defer func() { fmt.Println("outer", recover()) }()
	fmt.Println(nested())
}

func callers() {
	defer func() {
		pc := make([]uintptr, 10)
		n := runtime.Callers(1, pc)
		f := runtime.CallersFrames(pc[:n])
		for {
			x, more := f.Next()
			if !strings.HasPrefix(x.Function, "runtime.") {
				fmt.Println(x.Function, x.Line)
			}
			if !more {
				break
			}
		}
	}()
}

func iter(f func(int) bool) {
	for i := range 3 {
		if !f(i) {
			return
		}
	}
}
func ranged() {
	defer fmt.Println("ranged 0")
	for i := range iter {
		defer fmt.Println("ranged", i)
	}
	defer fmt.Println("ranged end")
}

func goexit() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() { defer fmt.Println("ge1"); runtime.Goexit() }()
		defer fmt.Println("ge0")
	}()
	wg.Wait()
}

var mu sync.Mutex

func locked() int {
	mu.Lock()
	defer mu.Unlock()
	return 5
}

func gen[X any](x X) {
	defer fmt.Println("gen", x)
	defer func(y X) { fmt.Println("geny", y) }(x)
}

func main() {
	for _, a := range []bool{false, true} {
		for _, b := range []bool{false, true} {
			fmt.Println(order(a, b))
		}
	}
	for k := range 4 {
		fmt.Println(panics(k))
	}
	bigs()
	nils()
	fmt.Println(noresult())
	outer()
	callers()
	ranged()
	goexit()
	for range 1000 {
		locked()
	}
	gen(1)
	gen("s")
	defer os.Stdout.Sync()
	defer func() { panic("second") }()
	panic("first")
}
