// Functions that call nothing have no frame. They are in stacks all the same, and so are their
// callers: when a check fails, when memory faults, and wherever they are stopped.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"unsafe"
)

type node struct {
	next  *node
	value [8]int
}

//go:noinline
func index(s []int, i int) int { return s[i] }

//go:noinline
func slice(s []int, i, j int) []int { return s[i:j] }

//go:noinline
func load(n *node) int { return n.value[3] + n.value[5] }

//go:noinline
func quotient(a, b int) int { return a / b }

//go:noinline
func shift(a, b int) int { return a << b }

//go:noinline
func assert(x any) int { return x.(int) }

// busy keeps more values than registers that a callee may use freely.
//
//go:noinline
func busy(s []int, a, b, c, d, e, f int) int {
	n := 0
	for i := range a {
		x := s[i+b]
		n += x*a ^ (x+b)*c ^ (x-c)*d ^ x*e + (x<<1)*f
		a, b, c, d, e, f = a^x, b, c+n, d^n, e-x, f*3
	}
	return n + a + b + c + d + e + f
}

// reversed uses all registers, the frame pointer's, too.
//
//go:noinline
func reversed(p *[14]int, s []int, i int) int {
	x0 := p[0]
	x1 := p[1]
	x2 := p[2]
	x3 := p[3]
	x4 := p[4]
	x5 := p[5]
	x6 := p[6]
	x7 := p[7]
	x8 := p[8]
	x9 := p[9]
	x10 := p[10]
	x11 := p[11]
	x12 := p[12]
	x13 := p[13]
	p[0] = x13
	p[1] = x12
	p[2] = x11
	p[3] = x10
	p[4] = x9
	p[5] = x8
	p[6] = x7
	p[7] = x6
	p[8] = x5
	p[9] = x4
	p[10] = x3
	p[11] = x2
	p[12] = x1
	p[13] = x0
	return s[i]
}

//go:noinline
func store(p *int) { *p = 1 }

//go:noinline
func local(s []int, i int) int {
	var a [8]int
	for k, x := range s {
		a[x&7] += k
	}
	return a[i]
}

//go:noinline
func deep(n int, f func()) int {
	if n == 0 {
		f()
		return 0
	}
	var room [40]int
	room[n&31] = deep(n-1, f)
	return room[n&31] + 1
}

func frames() (list []string) {
	var pcs [40]uintptr
	callers := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := callers.Next()
		if strings.HasPrefix(f.Function, "main.") {
			list = append(list, fmt.Sprintf("%s:%d", f.Function, f.Line))
		}
		if !more {
			return list
		}
	}
}

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover(), frames()) }()
	f()
}

func main() {
	s := []int{1, 2, 3}
	all := map[string]func(){}
	var names []string
	add := func(name string, f func()) { names, all[name] = append(names, name), f }
	add("index", func() { index(s, 5) })
	add("slice", func() { slice(s, 3, 2) })
	add("load", func() { load(nil) })
	add("quotient", func() { quotient(1, 0) })
	add("shift", func() { shift(1, -1) })
	add("assert", func() { assert("x") })
	add("busy", func() { busy(s, 9, 1, 2, 3, 4, 5) })
	add("local", func() { local(s, 8) })
	add("reversed", func() { reversed(new([14]int), s, 3) })
	bad := (*int)(unsafe.Pointer(uintptr(0x123456789000)))
	debug.SetPanicOnFault(true)
	add("store", func() { store(bad) })
	for _, name := range names {
		try(name, all[name])
	}
	for _, n := range []int{10, 100, 1000, 10000} {
		for _, name := range names {
			func() {
				defer func() { fmt.Print(recover() != nil, " ") }()
				deep(n, all[name])
			}()
		}
	}
	for n := range 300 { // at each place of a segment
		done := make(chan bool)
		go func() {
			defer func() { done <- recover() != nil }()
			deep(n, func() { local(s, 9) })
		}()
		<-done
	}
	go index(s, -1)
	select {}
}
