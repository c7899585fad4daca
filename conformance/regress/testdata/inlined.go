// Functions that are inlined before escape analysis: what they return, what is allocated, and what
// runtime.Callers says.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

type point struct{ x, y int }

func newPoint(x, y int) *point       { return &point{x, y} }
func (p *point) add(q *point) *point { return newPoint(p.x+q.x, p.y+q.y) }
func (p point) twice() point         { p.x *= 2; p.y *= 2; return p }
func (p *point) norm() int           { return p.x*p.x + p.y*p.y }

func up(n uintptr) unsafe.Pointer { return unsafe.Pointer(&n) }

func apply(list []int, f func(int) int) {
	for i, x := range list {
		list[i] = f(x)
	}
}

type config struct{ size, depth int }
type option func(*config)

func size(n int) option  { return func(c *config) { c.size = n } }
func depth(n int) option { return func(c *config) { c.depth = n } }

func configure(a, b option) *config {
	c := &config{}
	a(c)
	b(c)
	return c
}

// big is passed by the address of a copy: the callee changes its own.
type big struct {
	words [12]int
	next  *big
}

func change(b big, i int) big { b.words[i] = 99; b.next = nil; return b }

func divide(a, b int) (q int, ok bool) {
	if b == 0 {
		return
	}
	q, ok = a/b, true
	return
}

func named(n int) (s string, err error) {
	if n < 0 {
		err = fmt.Errorf("negative: %d", n)
		return
	}
	s = strings.Repeat("x", n)
	return
}

// each turn has a variable of its own, which the closure keeps.
func keepers(n int) (list []func() int) {
	for i := range n {
		list = append(list, func() int { i++; return i })
	}
	return list
}

func counter() (func() int, func()) {
	n := 0
	return func() int { return n }, func() { n++ }
}

func isOdd(n int) bool {
	if n == 0 {
		return false
	}
	return isEven(n - 1)
}

func isEven(n int) bool {
	if n == 0 {
		return true
	}
	return isOdd(n - 1)
}

var trace []string

func say(s string, n int) int { trace = append(trace, s); return n }

func three(a, b, c int) int { trace = append(trace, "body"); return a*100 + b*10 + c }

func swap(p, q *int) { *p, *q = *q, *p }

func first[T any](list []T, ok func(T) bool) (T, bool) {
	for _, x := range list {
		if ok(x) {
			return x, true
		}
	}
	var zero T
	return zero, false
}

type stack[T any] struct{ list []T }

func (s *stack[T]) push(x T) { s.list = append(s.list, x) }
func (s *stack[T]) pop() T {
	x := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return x
}

func callers() (list []string) {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "main.") {
			return list
		}
		list = append(list, fmt.Sprint(f.Function, ":", f.Line))
		if !more {
			return list
		}
	}
}

func inner(list *[]string)   { *list = callers() }
func outer() (list []string) { inner(&list); return list }

func here() int {
	_, _, line, _ := runtime.Caller(0)
	return line
}

func there() int {
	_, _, line, _ := runtime.Caller(1)
	return line
}

func field(p *point) int { return p.y }

func index(list []int, i int) int {
	return list[i]
}

func must(n int) int {
	if n > 3 {
		panic(fmt.Sprint("too much: ", n))
	}
	return n
}

// where returns the lines of main that a panic in f went through.
func where(f func()) (lines string) {
	defer func() {
		err := recover()
		var pcs [32]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
		for {
			f, more := frames.Next()
			if strings.HasPrefix(f.Function, "main.") && !strings.HasPrefix(f.Function, "main.where") && !strings.HasPrefix(f.Function, "main.main") {
				lines += fmt.Sprint(f.Function, ":", f.Line, " ")
			}
			if !more {
				break
			}
		}
		lines += fmt.Sprint(err)
	}()
	f()
	return "no panic"
}

// deferred calls that recover are called by the run-time system alone.
func quiet(f func()) (err any) {
	defer catch(&err)
	f()
	return nil
}

func catch(err *any) { *err = recover() }

// helper's recover is not the deferred call's own.
func helper() any { return recover() }

func loud(f func()) (err any) {
	defer func() { err = recover() }()
	defer func() { helper() }()
	f()
	return nil
}

var sink int

func main() {
	fmt.Println(*newPoint(1, 2).add(newPoint(3, 4)), newPoint(1, 2).twice(), newPoint(3, 4).norm())
	fmt.Println(*(*uintptr)(up(42)))
	b := big{next: &big{}}
	c := change(b, 3)
	fmt.Println(b.words[3], b.next != nil, c.words[3], c.next)
	fmt.Println(divide(7, 2))
	fmt.Println(divide(7, 0))
	fmt.Println(named(3))
	fmt.Println(named(-3))
	fs := keepers(3)
	fmt.Println(fs[0](), fs[0](), fs[1](), fs[2](), fs[2]())
	get, inc := counter()
	inc()
	inc()
	get2, _ := counter()
	fmt.Println(get(), get2())
	fmt.Println(isOdd(7), isEven(7), isEven(10))
	fmt.Println(three(say("a", 1), say("b", 2), say("c", 3)), trace)
	x, y := 1, 2
	swap(&x, &y)
	fmt.Println(x, y)
	fmt.Println(first([]string{"a", "bb", "cc"}, func(s string) bool { return len(s) == y+1 }))
	var s stack[point]
	for i := range 3 {
		s.push(point{i, i})
	}
	fmt.Println(s.pop(), s.pop().twice(), len(s.list))

	fmt.Println(outer())
	fmt.Println(here(), there())
	fmt.Println(where(func() { sink = field(nil) }))
	fmt.Println(where(func() { sink = index([]int{1}, y+2) }))
	fmt.Println(where(func() { sink = must(3) + must(5) }))
	fmt.Println(quiet(func() { must(6) }), loud(func() { must(7) }))

	list := []int{1, 2, 3}
	allocs := func(name string, f func()) { fmt.Println(name, testing.AllocsPerRun(20, f)) }
	allocs("constructors", func() { sink += newPoint(1, 2).add(newPoint(3, 4)).norm() })
	allocs("parameter", func() { sink += int(*(*uintptr)(up(uintptr(sink)))) })
	allocs("closure", func() {
		by := len(list)
		apply(list, func(x int) int { by++; return x + by })
	})
	allocs("options", func() { sink += configure(size(sink), depth(2)).size })
	allocs("captured", func() {
		get, inc := counter()
		inc()
		sink += get()
	})
	allocs("generic", func() {
		n, _ := first(list, func(x int) bool { return x > sink })
		sink += n
	})
}
