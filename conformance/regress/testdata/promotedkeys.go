//go:build go1.27

// Keys of struct literals that are promoted fields.
package main

import (
	"fmt"
	"sync"
	"time"
)

type D struct{ x, y, z int }
type C struct {
	c int
	D
}
type B struct {
	b string
	C
	*P
}
type P struct{ p int }
type A struct {
	a int
	B
	s  []int
	mu sync.Mutex
}

type GB[T any] struct {
	v T
	w []T
}
type GA[T any] struct {
	GB[T]
	n int
}
type Alias = C
type WithAlias struct {
	Alias
	q int
}
type Deep struct{ L1 }
type L1 struct{ L2 }
type L2 struct{ L3 }
type L3 struct {
	arr [3]int
	m   map[string]int
	f   func() int
	i   any
}

type Timed struct {
	time.Time
	name string
}
type Wide struct {
	Big
	tail int
}
type Big struct {
	a, b, c, d, e, f, g, h int
	arr                    [20]byte
}

var glob = A{a: 1, x: 2, b: "b", z: 3}
var globp = &A{y: 5}
var globs = []A{{x: 1}, {y: 2}, {a: 3, c: 4}}
var globm = map[string]Deep{"k": {arr: [3]int{1, 2, 3}, m: map[string]int{"a": 1}, i: "s"}}
var globf = Deep{f: func() int { return globp.y }}
var globw = Wide{a: 1, h: 2, tail: 3}
var ordered = Wide{a: next("a"), tail: next("tail"), c: next("c"), arr: [20]byte{3: byte(next("arr"))}}
var counter int

func next(s string) int { counter++; fmt.Println("next", s, counter); return counter }

func generic[T any](v T) GA[T] { return GA[T]{v: v, n: 1, w: []T{v, v}} }
func gen2[S interface {
	~struct {
		D
		k int
	}
}](x int) S {
	return S{x: x, k: 1}
}

type SK struct {
	D
	k int
}

func show(a *A) { fmt.Println(a.a, a.b, a.c, a.x, a.y, a.z, a.s, a.P) }

func main() {
	show(&glob)
	show(globp)
	for i := range globs {
		show(&globs[i])
	}
	fmt.Println(globm["k"].arr, globm["k"].m, globm["k"].i, globf.f(), globw, ordered)
	a := A{a: 1, x: next("x"), s: []int{next("s")}, b: fmt.Sprint(next("b")), P: &P{p: 4}}
	show(&a)
	fmt.Println(generic("s"), generic(2.5), gen2[SK](7))
	fmt.Println(WithAlias{c: 1, x: 2, q: 3})
	d := Deep{arr: [3]int{1: 5}, m: map[string]int{"z": 26}}
	d2 := d
	d2.arr[0] = 9
	fmt.Println(d.arr, d2.arr, d.m, d.f == nil, d.i)
	l := &Deep{L1: L1{arr: [3]int{7}}}
	fmt.Println(l.arr)
	func() {
		defer func() { fmt.Println(recover()) }()
		var n *D
		x := A{a: 1, x: n.x}
		show(&x)
	}()
	// evaluation order and overlap
	b := B{b: "old", x: 1, y: 2}
	b = B{b: b.b + "!", x: b.y, y: b.x}
	fmt.Println(b.b, b.x, b.y)
	w := Wide{a: 1, b: 2}
	w = Wide{a: w.b, b: w.a, tail: w.tail + 1}
	fmt.Println(w)
	inc := func(p *int) int { *p++; return *p }
	k := 1
	b = B{x: k, y: inc(&k), z: k}
	fmt.Println(b.x, b.y, b.z)
	arr := [...]SK{{x: 1, k: 2}, 3: {z: 4}}
	fmt.Println(arr)
	var iface any = SK{x: 3}
	fmt.Println(iface == any(SK{D: D{x: 3}}), SK{y: 1} == SK{D: D{y: 1}})
	ch := make(chan A, 1)
	ch <- A{x: 1, y: 2}
	r := <-ch
	show(&r)
	tt := Timed{name: "t"}
	fmt.Println(tt.IsZero(), tt.name)
	const big = 1 << 3
	anon := struct {
		D
		*P
		k string
	}{x: big, k: "anon", P: &P{3}}
	fmt.Println(anon.x, anon.p, anon.k)
	if (SK{x: 1}) != (SK{}) {
		fmt.Println("ne")
	}
}
