// Calls through interfaces become direct where inlining makes known what the interface holds. The
// receiver is what it was when the interface was made, or for a pointer when the method is called;
// and what panics does so as before.
package main

import (
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

type stepper interface{ step(k int) int }

type value struct{ a, b, c, d, e int }

func (v value) step(k int) int { return v.a + v.e*k }

type pointer struct{ n int }

func (p *pointer) step(k int) int {
	if p == nil {
		return -k
	}
	p.n += k
	return p.n
}

type number int

func (n number) step(k int) int { return int(n) * k }

type function func(int) int

func (f function) step(k int) int { return f(k) }

type embeds struct {
	name string
	*pointer
}

type embedsInterface struct{ stepper }

func once(s stepper) int     { return s.step(3) }
func same(s stepper) stepper { return s }

func choose(n int, p *pointer) stepper {
	var s stepper = p
	if n > 1 {
		p.n++
		return s
	}
	return s
}

// copies: the interface has a copy, which later stores do not change.
func copies() int {
	v := value{1, 2, 3, 4, 5}
	var s stepper = v
	v.a, v.e = 100, 200
	return once(s) + once(v)
}

// loaded: through a pointer the method gets what is there when it is called.
func loaded() int {
	v := &value{1, 2, 3, 4, 5}
	s := same(v)
	v.e = 7
	n := once(s)
	v.e = 9
	return 1000*n + once(s)
}

func ends(name string, f func()) {
	defer func() {
		switch r := recover().(type) {
		case runtime.Error:
			fmt.Println(name, "runtime error:", r)
		default:
			fmt.Println(name, r)
		}
	}()
	f()
}

//go:noinline
func nilValue() *value { return nil }

//go:noinline
func nilPointer() *pointer { return nil }

type thrower struct{ what string }

func (t thrower) step(k int) int { panic(fmt.Sprint(t.what, k)) }

type catcher struct{}

func (catcher) step(k int) int {
	r := recover()
	fmt.Println("recovered", r)
	return k
}

func deferred() {
	var s stepper = catcher{}
	defer s.step(1)
	panic("here")
}

func indirectly() (n int) {
	defer func() { n = once(catcher{}) }() // not called by the deferred function: recovers nothing
	return 0
}

type ints []int

func (s ints) Len() int           { return len(s) }
func (s ints) Less(i, j int) bool { return s[i] < s[j] }
func (s ints) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *ints) Push(x any)        { *s = append(*s, x.(int)) }
func (s *ints) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

func asInt(x any) int {
	n, ok := x.(int)
	if !ok {
		return -1
	}
	return n
}

func must(x any) int { return x.(int) }

type failed struct{ code int }

func (f failed) Error() string { return fmt.Sprint("code ", f.code) }

func fails(n int) error { return failed{n} }

func code(err error) int {
	if f, ok := err.(failed); ok {
		return f.code
	}
	return -1
}

func read(r io.Reader, p []byte) int {
	n, _ := r.Read(p)
	return n
}

func loop(n int) (sum int) {
	var s stepper = number(1)
	for i := range n {
		sum += once(s)
		if i%2 == 0 {
			s = number(i)
		} else {
			s = &pointer{i}
		}
	}
	return sum
}

func line(s stepper) { s.step(0) }

type where struct{}

func (where) step(int) int {
	for skip := range 3 {
		_, file, line, _ := runtime.Caller(skip)
		fmt.Println(file[strings.LastIndexByte(file, '/')+1:], line)
	}
	return 0
}

func main() {
	p := &pointer{5}
	fmt.Println(copies(), loaded(), once(p), once(choose(0, p)), once(choose(2, p)), *p)
	fmt.Println(once(number(7)), once(function(func(k int) int { return k * k })))
	fmt.Println(once(embeds{"x", p}), once(&embeds{"x", p}), once(embedsInterface{p}), *p)
	fmt.Println(once(nilPointer()), once((*pointer)(nil)))
	ends("nil of value method", func() { once(nilValue()) })
	ends("nil interface", func() { once(nil) })
	ends("nil embedded", func() { once(embedsInterface{}) })
	ends("nil function", func() { once(function(nil)) })
	ends("panics", func() { once(thrower{"thrown "}) })
	deferred()
	ends("recovers nothing", func() { fmt.Println(indirectly()) })

	h := &ints{5, 2, 8}
	heap.Init(h)
	heap.Push(h, 3)
	for h.Len() > 0 {
		fmt.Print(heap.Pop(h).(int), " ")
	}
	fmt.Println(asInt(4), asInt("4"), asInt(int8(4)), must(1<<40))
	ends("wrong type", func() { must("x") })
	fmt.Println(code(fails(7)), code(errors.New("")), code(nil), fails(3))
	buf := make([]byte, 4)
	fmt.Println(read(strings.NewReader("abcdef"), buf), string(buf), loop(9))
	line(where{})
	fmt.Fprintln(io.MultiWriter(os.Stdout), "done")
}
