// A function in which only checks in line panic behind its defer statement has no frame of deferred calls: a check that fails makes the
// call, and faults of memory that is not the program's own find it, too.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"unsafe"
)

var bad = uintptr(0x123456789000)

//go:noinline
func element(b []byte) (x byte, ok bool) {
	defer func() { ok = recover() != nil }()
	return b[0], false
}

//go:noinline
func word(p *int) (ok bool) {
	defer func() { ok = recover() != nil }()
	*p = 1
	return false
}

//go:noinline
func part(p *struct{ a, b [4]int }) (ok bool) {
	defer func() { ok = recover() != nil }()
	p.b[2]++
	return false
}

func unmapped(p *int) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	n := 0
	set := func(p *int) {
		defer func() { n++; recover() }()
		*p = 2
	}
	_, ok := element(unsafe.Slice((*byte)(unsafe.Pointer(bad)), 1))
	set(&n)
	set(p)
	fmt.Println(ok, word(p), part((*struct{ a, b [4]int })(unsafe.Pointer(p))), n)
}

type counter struct {
	mu sync.Mutex
	n  int
	a  []*int
	p  *int
}

func (c *counter) get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *counter) at(i int) *int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.a[i]
}

func (c *counter) named(i int) (p *int, err error) {
	p = c.a[0]
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	p = c.a[i]
	return p, nil
}

func (c *counter) conditional(i int) (err error) {
	if i == 0 {
		return errors.New("none")
	}
	if i > 0 {
		defer func() { recover() }()
		c.a[i] = nil
		return err
	}
	return nil
}

func (c *counter) big(i int) (r [9]*int, s string, err error) {
	defer func(k int, why string) {
		if x := recover(); x != nil {
			s = fmt.Sprint(why, k, x)
			var pcs [20]uintptr
			fs := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
			for {
				f, more := fs.Next()
				if strings.HasPrefix(f.Function, "main.") {
					fmt.Println(f.Function, f.Line)
				}
				if !more {
					break
				}
			}
		}
	}(i, "because")
	r[0] = c.a[0]
	r[i] = c.a[i]
	return r, "fine", nil
}

func (c *counter) unnamed(i int) (*int, int) {
	defer func() { recover() }()
	return c.a[i], 7
}

func (c *counter) zeroed(i int) ([9]*int, string) {
	defer func() { recover() }()
	var r [9]*int
	r[i] = c.a[0]
	r[8] = c.a[i]
	return r, "filled"
}

// variable has a name for what it defers.
func (c *counter) variable(i int) (ok bool) {
	done := func() { ok = recover() == nil }
	defer done()
	return c.a[i] != nil
}

func (c *counter) explicit(i int) (s string) {
	defer func() { s = fmt.Sprint(recover(), s) }()
	s = "here"
	if i > 3 {
		panic("explicit")
	}
	var e any = c.p
	return "there" + "x"[:*e.(*int)%2]
}

func (c *counter) typed(v any) (n int, err any) {
	defer func() { err = recover() }()
	n = 1
	return *v.(*int) / (n - 1), nil
}

func again(c *counter) {
	defer func() { fmt.Println("outer", recover()) }()
	c.repanics(5)
}

func (c *counter) repanics(i int) *int {
	defer func() {
		panic(fmt.Sprint("re ", recover()))
	}()
	return c.a[i]
}

func (c *counter) nested() {
	defer func() {
		fmt.Println("nested", recover())
	}()
	c.late()
}

//go:noinline
func (c *counter) late() {
	defer c.report("late")
	*(&c.a[9]) = c.p
}

func (c *counter) report(s string) { fmt.Println(s, recover()) }

func literal() {
	f := func(x *int, i int) {
		defer func() { *x++ }()
		a := [3]*int{x, nil, x}
		*a[i] += 2
	}
	n := 0
	f(&n, 0)
	f(&n, 2)
	func() {
		defer func() { fmt.Println(recover(), n) }()
		f(&n, 1)
	}()
	func() {
		defer func() { fmt.Println(recover(), n) }()
		f(&n, 3)
	}()
}

func goexit(c *counter) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer c.mu.Unlock()
		c.mu.Lock()
		runtime.Goexit()
	}()
	<-done
	fmt.Println(c.mu.TryLock())
	c.mu.Unlock()
}

func main() {
	unmapped((*int)(unsafe.Pointer(bad)))
	one := 1
	c := &counter{n: 3, a: []*int{&one, nil}, p: &one}
	fmt.Println(c.get(), *c.at(0))
	func() {
		defer func() { fmt.Println(recover(), c.mu.TryLock()); c.mu.Unlock() }()
		c.at(2)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		(*counter)(nil).get()
	}()
	p, err := c.named(0)
	fmt.Println(*p, err)
	p, err = c.named(2)
	fmt.Println(*p, err)
	fmt.Println(c.conditional(0), c.conditional(1), c.conditional(5), c.conditional(-1))
	r, s, err := c.big(1)
	fmt.Println(r[0] == &one, s, err)
	r, s, err = c.big(7)
	fmt.Println(r[0] == &one, s, err)
	x, y := c.unnamed(0)
	fmt.Println(x == &one, y)
	x, y = c.unnamed(20)
	fmt.Println(x, y)
	z, s := c.zeroed(1)
	fmt.Println(z[1] == &one, len(z), s)
	z, s = c.zeroed(4)
	fmt.Println(z == [9]*int{}, s)
	fmt.Println(c.variable(0), c.variable(1), c.variable(2))
	fmt.Println(c.explicit(1), c.explicit(5))
	c.p = nil
	fmt.Println(c.explicit(1))
	fmt.Println(c.typed(&one))
	fmt.Println(c.typed(one))
	again(c)
	c.nested()
	literal()
	goexit(c)
	defer func() {
		r := recover()
		var b [4096]byte
		st := string(b[:runtime.Stack(b[:], false)])
		for l := range strings.Lines(st) {
			if !strings.HasPrefix(l, "\t") {
				l, _, _ = strings.Cut(l, "(0x")
				l, _, _ = strings.Cut(l, "({0x")
				l, _, _ = strings.Cut(l, "(...)")
				fmt.Print(strings.TrimSpace(l), "\n")
			}
		}
		fmt.Println(r)
	}()
	c.at(11)
}
