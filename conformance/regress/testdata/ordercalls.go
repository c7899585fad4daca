// What a small closure changes is read in its turn: gc inlines the closure, and the variable is not
// captured then. Where something keeps the closure, the variable is read when the call is made.
package main

import "fmt"

type pair struct{ a, b int }

type getter interface{ get(int) int }

type num int

func (n num) get(k int) int { return int(n)*100 + k }

func show(vs ...any) { fmt.Println(vs...) }

func apply(f func() int) int { return f() }

//go:noinline
func far(f func() int) int { return f() }

var kept func() int

// values changes a variable of each type beside its conversion.
func values() {
	b, by, c, p := false, byte(1), 1i, &pair{1, 2}
	m, ch, f := map[string]int{"old": 1}, make(chan int, 1), func() int { return 1 }
	s, a, one, arr := pair{1, 2}, [2]int{1, 2}, struct{ b bool }{}, [1]bool{}
	str, sl, n, fl, e := "old", []int{1}, 1, 1.5, error(nil)
	show(b, func() int { b = true; return 0 }())
	show(by, func() int { by = 9; return 0 }())
	show(c, func() int { c = 9; return 0 }())
	show(p.a, p == p, func() int { p = &pair{9, 9}; return 0 }())
	show(m, func() int { m = nil; return 0 }())
	show(len(ch), func() int { ch <- 1; return 0 }())
	show(f != nil, func() int { f = nil; return 0 }())
	show(s, func() int { s.a = 9; return 0 }())
	show(a, func() int { a[0] = 9; return 0 }())
	show(one, func() int { one.b = true; return 0 }())
	show(arr, func() int { arr[0] = true; return 0 }())
	show(str, func() int { str = "new"; return 0 }())
	show(sl, func() int { sl = nil; return 0 }())
	show(n, func() int { n = 9; return 0 }())
	show(fl, func() int { fl = 9; return 0 }())
	show(e, func() int { e = fmt.Errorf("new"); return 0 }())
}

// uses are what gc sees through, and what keeps a closure.
func uses() {
	a, b, c, d, e, f, g := false, false, false, false, false, false, false
	set := func() int { a = true; return 0 }
	show(a, set())
	show(b, apply(func() int { b = true; return 0 }))
	show(c, far(func() int { c = true; return 0 }))
	keep := func() int { d = true; return 0 }
	kept = keep
	show(d, keep())
	again := func() int { e = true; return 0 }
	again = func() int { return 1 }
	show(e, again())
	alias := func() int { f = true; return 0 }
	other := alias
	show(f, other())
	func() { show(g, func() int { g = true; return 0 }()) }()
	h := false
	late := func() int { h = true; return 0 }
	defer late()
	show(h, late())
}

// contexts have the operand where it is put elsewhere than in an argument.
func contexts() (r any, n int) {
	ok := false
	set := func() int { ok = true; return 0 }
	unset := func() int { ok = false; return 0 }
	x, y := any(ok), set()
	show(x, y)
	show(map[string]any{"a": ok, "b": unset()}["a"], []any{ok, set()}, any(ok) == any(true), unset())
	c := make(chan any, 1)
	var list [3]any
	list[set()], list[1] = ok, unset()
	c <- struct{ a, b any }{ok, set()}
	show(list[:], <-c)
	k := false
	table := map[bool]int{k: func() int { k = true; return 1 }()}
	show(table)
	return ok, unset()
}

// small is inlined, so its parameter is a variable of the function that calls it.
func small(ok bool) (any, int) {
	return ok, func() int { ok = true; return 0 }()
}

//go:noinline
func large(ok bool) (any, int) {
	return ok, func() int { ok = true; return 0 }()
}

// methods are of an interface that has one type, and of one that has two.
func methods() {
	var g, h getter = num(1), num(1)
	show(g.get(func() int { g = num(9); return 5 }()))
	if kept == nil {
		h = (*other)(nil)
	}
	show(h.get(func() int { h = num(9); return 5 }()))
}

type other struct{}

func (*other) get(int) int { return 0 }

func main() {
	values()
	uses()
	show(contexts())
	show(small(false))
	show(large(false))
	methods()
}
