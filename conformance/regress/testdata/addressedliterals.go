// A literal is read through addresses within it, in the statement that makes it, beside calls.
package main

import (
	"fmt"
	"net/url"
)

type inner struct {
	p *int
	m map[string]int
	s []int
	e error
}

type point struct {
	a, b int
	in   inner
	arr  [3]inner
}

var seven = 7

//go:noinline
func neg(v int) int { return -v }

//go:noinline
func id() int { return 100 }

//go:noinline
func get(p *point) int { return p.a }

//go:noinline
func sum(list ...any) (n int) {
	for _, x := range list {
		n += x.(int)
	}
	return n
}

func (p *point) first() int { return p.a }
func (p point) second() int { return p.b }

var (
	packageField = neg((&point{a: 1, b: 2}).b)
	packageDeep  = neg(*(&point{in: inner{p: &seven}}).in.p) + id()
	packageElem  = sum((&[3]int{1, 2, id()})[1], id(), (&[3]int{1, 2, id()})[2])
)

func main() {
	fmt.Println((&point{1, 2, inner{}, [3]inner{}}).b)
	fmt.Println(neg((&point{a: 1}).a), id(), (&point{b: id()}).b)
	fmt.Println(*(&point{in: inner{p: &seven}}).in.p, id())
	fmt.Println((&point{in: inner{m: map[string]int{"k": id()}}}).in.m["k"], id())
	fmt.Println((&point{in: inner{s: []int{1, id(), 3}}}).in.s[1], len((&point{in: inner{s: []int{1}}}).in.s), id())
	fmt.Println((&point{arr: [3]inner{1: {s: []int{4, 5}}}}).arr[1].s[id()-99], id())
	fmt.Println((&[2]int{1, id()})[0], (&[2]int{id(), 2})[1], id())
	fmt.Println((&[2]point{{a: 1}, {b: id()}})[1].b, id())
	fmt.Println((&point{a: id()}).first(), (&point{b: id()}).second(), point{b: 5}.second(), id())
	fmt.Println(get(&point{a: id()}), (&url.URL{Scheme: "http", Host: "example.com"}).Host, id())
	fmt.Println((&point{in: inner{e: fmt.Errorf("e%d", id())}}).in.e, id())
	fmt.Println(sum((&point{a: 1}).a, id(), (&point{b: 2}).b), packageField, packageDeep, packageElem)
	pp := &(&point{a: 3, b: 4}).b
	fmt.Println(*pp, id())
	x, y := (&point{a: 3}).a, id()
	fmt.Println(x, y, (&struct{ s []*point }{[]*point{{a: 1}, {a: id()}}}).s[1].a, id())
	fmt.Println((&point{a: 1}).a == id() || (&point{b: 100}).b == id(), id())
	fmt.Println(func(p *point) int { return p.b }(&point{b: id()}), id())
	fmt.Println((*(&point{a: 8})).a, (**(&[]*point{{a: 9}}[0])).a, id())
}
