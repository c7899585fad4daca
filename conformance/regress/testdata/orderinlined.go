// What gc evaluates first depends on what it inlines: a variable that only inlined literals see has
// no address, and what is one of an inlined function's variables has none either.
package main

import "fmt"

type pair struct{ a, b int }

type big struct{ a, b, c int }

type getter interface{ get() int }

func (p pair) get() int { return p.a }

func one() int { return 1 }

func apply(f func() int) int { return f() }

func sum(a, b int) int { return a + b }

//go:noinline
func show(list ...any) { fmt.Println(list...) }

//go:noinline
func same(a any, n int, b any) { fmt.Println(a, n, b) }

func captured() {
	p := pair{1, 2}
	f := func() int { p.a++; return p.a }
	show(p, f(), p)
	same(p, f(), p)
	var a any = p
	a, n := p, f()
	show(a, n)
	q := big{1, 2, 3}
	g := func() int { q.c++; return q.c }
	show(q, g(), q, q == big{1, 2, 4}, g())
	t := [2]string{"x", "y"}
	h := func() int { t[0] += "z"; return len(t[0]) }
	show(t, h(), t)
}

func argument() {
	p := pair{1, 2}
	show(p, apply(func() int { p.a += 2; return p.a }), p)
	t := [2]int{5, 6}
	show(t, func() int { t[1]++; return t[1] }(), t)
	m := map[pair]int{{1, 2}: 1, {3, 2}: 3, {5, 2}: 5}
	show(m[p], apply(func() int { p.a += 2; return p.a }), m[p])
}

func parameter(p pair) (r pair) {
	f := func() int { p.a++; r.b += p.a; return p.a }
	r.a = 7
	show(p, r, f(), p, r)
	return r
}

func small(p pair) any { return p }

func smallBox(p pair, f func() int) (any, int) { return p, f() }

func sent() {
	c := make(chan pair, 4)
	p := pair{1, 2}
	f := func() chan pair { p.a++; return c }
	f() <- p
	show(<-c, p)
	s := []chan pair{c}
	g := func() int { p.b++; return 0 }
	s[g()] <- p
	show(<-c, p)
}

func compared() {
	p, q := pair{1, 2}, pair{2, 2}
	f := func() pair { p.a++; return pair{2, 2} }
	show(p == f(), p == q, f() == p)
	t := [3]string{"a", "b", "c"}
	g := func() [3]string { t[0] = "x"; return t }
	show(t == g(), g() == t)
}

func constants() {
	var log []int
	at := func(i int) int { log = append(log, i); return i }
	m := map[int]any{1: one(), at(2): at(3), 4: one()}
	show(len(m), log)
	show([]any{one(), at(5), one()}, log)
}

func failing() (err any) {
	defer func() { err = recover() }()
	var p *pair
	var s []int
	show(sum(s[3], p.a), 0)
	return nil
}

func failingCall() (err any) {
	n := 0
	defer func() { err = fmt.Sprint(recover(), n) }()
	var p *pair
	count := func() int { n++; return n }
	show(sum(p.a, count()), sum(count(), p.b))
	return nil
}

func methods() {
	var g getter = pair{3, 4}
	h := func(n int) int { return n }
	show(g.get(), h(2))
	p := pair{1, 2}
	f := func() int { p = pair{8, 9}; return 1 }
	show(p.get(), f(), p.get(), p)
	show(sum(p.get(), f()), p)
}

func main() {
	captured()
	argument()
	show(parameter(pair{3, 3}))
	p := pair{4, 4}
	show(small(p), func() int { p.a++; return p.a }(), small(p))
	show(smallBox(p, func() int { p.a++; return p.a }))
	sent()
	compared()
	constants()
	show(failing())
	show(failingCall())
	methods()
}
