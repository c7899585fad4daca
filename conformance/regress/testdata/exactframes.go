// Functions that call runtime.GC clear what is dead in their frames before it, and took for dead what was still to be read: values that
// other values are another name of, strings that loops run over, closures that are called for the last time, and variables whose address was in memory that copy or the second form of a
// function had filled.
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	v int
	p *node
}

type ints []int

type reader interface{ Read() }

type readWriter interface {
	reader
	Write()
}

type file struct{ n int }

func (*file) Read()  {}
func (*file) Write() {}

//go:noinline
func slice(n int) []int { return []int{n, n + 1} }

//go:noinline
func text(n int) string { return string(rune('a'+n)) + "bc" }

//go:noinline
func open(n int) readWriter { return &file{n} }

//go:noinline
func call(...any) {}

//go:noinline
func first(a []int) int { return a[0] }

// named: a and b are the same value.
//
//go:noinline
func named(n int) int {
	a := slice(n)
	b := ints(a)
	call()
	r := first(a)
	runtime.GC()
	return r*10 + len(b) + b[1]
}

//go:noinline
func namedLoop(n int) (r int) {
	var last ints
	for i := range n {
		a := slice(i)
		b := ints(a)
		call()
		r += first(a)
		runtime.GC()
		if last != nil {
			r = r*10 + last[1]
		}
		last = b
	}
	return r
}

//go:noinline
func ranged(n int) (r int) {
	s := text(n)
	call()
	for i, c := range s {
		runtime.GC()
		r = r*3 + int(c) + i
	}
	return r
}

//go:noinline
func compared(n int) (bool, bool) {
	a := open(n)
	b := reader(a)
	call()
	a.Read()
	runtime.GC()
	return b == nil, b == reader(a)
}

//go:noinline
func comparedOnce(x reader, n int) bool {
	a := open(n)
	b := reader(a)
	call()
	a.Read()
	runtime.GC()
	return b == x
}

//go:noinline
func copied() int {
	x, y := node{v: 5}, node{v: 7}
	from, to := []*node{&x, &y}, make([]*node, 2)
	copy(to, from)
	runtime.GC()
	return to[0].v*10 + to[1].v
}

func two(n int) *node { return &node{v: 1, p: &node{v: n}} }

func three(n int) (*node, [2]*node) {
	x := &node{v: n}
	return &node{p: x}, [2]*node{1: x}
}

// linked: the two objects are in its frame.
//
//go:noinline
func linked(n int) int {
	p := two(n).p
	runtime.GC()
	return p.v
}

//go:noinline
func linkedResult(n int) int {
	x, _ := three(n)
	p := x.p
	runtime.GC()
	return p.v
}

func holder(p *node) **node { return &p }

func link(p *node) *node { return &node{v: 1, p: p} }

//go:noinline
func get(p *node) int {
	runtime.GC()
	return p.v
}

//go:noinline
func held(n int) int {
	x := node{v: n}
	h := holder(&x)
	return get(*h)
}

//go:noinline
func heldTwice(n int) int {
	x := node{v: n}
	p := link(link(&x)).p
	runtime.GC()
	q := p.p
	runtime.GC()
	return q.v
}

var kept func() int

// called: the closure is not used after the call.
//
//go:noinline
func called(n int) int {
	f := func() int {
		runtime.GC()
		return n
	}
	kept = f
	call()
	return f()
}

func main() {
	fmt.Println(named(3), namedLoop(4), ranged(3))
	fmt.Println(compared(3))
	fmt.Println(comparedOnce(nil, 3), copied())
	fmt.Println(linked(3), linkedResult(4), held(5), heldTwice(6), called(7))
}
