// Command order prints what is read before and after the calls of a statement, and what unsafe's measures say of types
// that depend on type parameters.
package main

import (
	"fmt"
	"unsafe"
)

type state struct {
	v     int
	items []int
	next  *state
}

func (s *state) mutate(n int) int { s.v = n; return n }
func (s *state) alloc() int {
	s.items = append(s.items, 0, 0, 0, 0, 0)
	return len(s.items)
}
func (s state) val(n int) int { return s.v*100 + n }

var g = 1

func setg(n int) int { g = n; return n }

func two() (int, int) { g = 50; return 1, 2 }

func ret() (state, int) { x := state{v: 1}; return x, x.mutate(2) }
func retIface() (int, any, int) {
	m, i := 0, 0
	f := func() int { m = 2; i = 2; return 99 }
	return m, i, f()
}
func retPtr() (int, int) {
	p := &state{v: 1}
	return p.v, p.mutate(7)
}
func retChain() (int, int) {
	p := &state{v: 1, next: &state{v: 5}}
	f := func() int { p = p.next; p.next = &state{v: 9}; return 3 }
	return p.next.v, f()
}

func try(name string, f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, "panic", e, g)
		}
	}()
	f()
}

func id(a, b, c int) string { return fmt.Sprint(a, b, c) }

func main() {
	fmt.Println(ret())
	fmt.Println(retIface())
	fmt.Println(retPtr())
	fmt.Println(retChain())
	g = 1
	fmt.Println(g + setg(5))
	g = 1
	a, b := g, setg(6)
	fmt.Println(a, b)
	g = 1
	fmt.Println(id(g, setg(7), g))
	g = 1
	fmt.Println(id(g*2, g, setg(8)+g))
	s := &state{items: make([]int, 1)}
	s.items[0] = s.alloc()
	fmt.Println(s.items)
	s = &state{items: []int{1}}
	s.items = append(s.items, s.alloc())
	fmt.Println(s.items)
	arr := []int{1, 2, 3, 4, 5, 6}
	i := 0
	inc := func() int { i++; return i }
	arr[i] = inc()
	fmt.Println(arr, i)
	arr[i], i = inc(), inc()
	fmt.Println(arr, i)
	i = 0
	i = -1
	arr = make([]int, 9)
	arr[8] = 8
	arr[inc()] = arr[i+7] + inc()
	fmt.Println(arr, i)
	m := map[string]int{}
	k := "a"
	m[k] = func() int { k = "b"; return 1 }()
	fmt.Println(m)
	m[k] += func() int { k = "c"; return 1 }()
	fmt.Println(m)
	g = 0
	try("nil store", func() { var p *state; p.v = setg(3) })
	try("nil load", func() { var p *state; fmt.Println(p.v + setg(4)) })
	try("index", func() { var p []int; p[2] = setg(5) })
	try("div", func() { z := 0; fmt.Println(setg(1)/z + setg(6)) })
	try("div2", func() { z := 0; q := 5; fmt.Println(q/z + setg(7)) })
	st := state{v: 3}
	fmt.Println(st.val(st.mutate(4)))
	var x, y int
	x, y = two()
	fmt.Println(x, y, g)
	g = 1
	p := [2]int{g, setg(9)}
	fmt.Println(p)
	g = 1
	q := state{v: g, items: []int{setg(3), g}}
	fmt.Println(q)
	g = 1
	fmt.Println(g, setg(4), g)
	str := "a"
	chg := func() string { str = "b"; return "c" }
	fmt.Println(str + chg() + str)
	if str == chg() || str == "b" {
		fmt.Println("yes")
	}
	g = 2
	switch g {
	case setg(3), g:
		fmt.Println("case", g)
	default:
		fmt.Println("default", g)
	}
	ch := make(chan int, 1)
	ch <- 5
	g = 4
	fmt.Println(id(g, <-ch, setg(1)))
	fn := func(n int) int { return n }
	fmt.Println(fn(func() int { fn = func(n int) int { return -n }; return 5 }()))
	big := struct{ a, b, c, d, e int }{1, 2, 3, 4, 5}
	chbig := func() int { big.a = 100; return 0 }
	c, d := big, chbig()
	fmt.Println(c, d)
	var e any = 1
	asrt := func() int { e = "x"; return 1 }
	u, w := e.(int), asrt()
	fmt.Println(u, w)
	sl := []int{1, 2, 3}
	chs := func() int { sl = nil; return 0 }
	sa, sb := sl[:2], chs()
	fmt.Println(sa, sb)
	g = 1
	v1, v2 := float64(g), setg(2)
	fmt.Println(v1, v2)
	g = 1
	v3, v4 := -g, setg(2)
	fmt.Println(v3, v4)
	g = 1
	z := min(g, 10) + setg(20)
	fmt.Println(z)
	sl = []int{1}
	l1, l2 := len(sl), chs()
	fmt.Println(l1, l2)
	g = 0
	go func(a, b int) { ch <- a*10 + b }(g, setg(3))
	fmt.Println(<-ch)
	func() {
		g = 0
		defer fmt.Println(id(g, setg(3), 0))
		defer func(a, b int) { fmt.Println(a, b) }(g, setg(4))
	}()
	t := true
	set := func() bool { t = false; return true }
	b1, b2 := t, set()
	fmt.Println(b1, b2)
	t = true
	fmt.Println(t && set(), t)
	t = true
	b3 := (t == set())
	fmt.Println(b3)
	g = 1
	ok := g == 1 && setg(3) == 3 && g == 3
	fmt.Println(ok)
	measures[int](nil, outer[int]{}, nil)
	measures[string](nil, outer[string]{}, nil)
	joined()
	lookups()
}

var x int

// inc changes x.
func inc() bool { x++; return true }

// joined reads x and other variables in statements that && and || divide into several blocks.
func joined() {
	two := func() (int, bool) { return x, x >= 0 && inc() }
	or := func() (int, bool) { return x + 1, inc() && x < 0 || inc() }
	fmt.Println(two())
	fmt.Println(or())
	fmt.Println(x, x >= 0 && inc(), x > 0 && x < 100 && inc(), x*x)
	a, b := x, x > 0 && inc()
	fmt.Println(a, b)
	fmt.Println([]any{x, inc() && setg(1) > 0, x}...)
	t := struct{ a, b int }{x, map[bool]int{true: x}[x > 0 && inc()]}
	fmt.Println(t)
	fmt.Println(x, x > 0 && inc(), setg(x), x)
	i, list := 0, []int{10, 20, 30, 40}
	move := func() bool { i = 3 - i; list[0]++; return true }
	fmt.Println(list[i], i, move() && move() && move())
	list[i], b = 7, move() && move()
	fmt.Println(list, i, b)
	var err error
	fail := func() bool { err = fmt.Errorf("failed"); return true }
	fmt.Println(err, err == nil && fail())
	n := x + map[bool]int{true: 1}[x > 0 && inc()] + x
	fmt.Println(n, x)
	p := &struct{ n int }{3}
	other := func() bool { p = &struct{ n int }{9}; return true }
	fmt.Println(p.n, *p, p.n > 0 && other())
	s := "a"
	grow := func() bool { s += "b"; return true }
	fmt.Println(s+"c", s != "" && grow(), s+s)
	for k := 0; k < 3; k++ {
		fmt.Println(x+k, k == 1 || inc(), k > 0 && inc() && x > k)
	}
	try("joined", func() { var q *struct{ n int }; fmt.Println(q.n, x > 0 && inc()) })
	fmt.Println(x)
}

// lookups reads maps and assertions that calls of the same statement change.
func lookups() {
	words, key := map[string]int{"a": 1}, "a"
	count := func() int { words["a"]++; key += "x"; return 1 }
	more := func() bool { return count() > 0 }
	fmt.Println(words["a"], count(), words["a"], len(words))
	fmt.Println(words["a"], more() && more(), words["a"])
	key = "a"
	n := words[key] + count()
	fmt.Println(n, key)
	bytes := []byte("a")
	fill := func() int { bytes[0], words["a"] = 'b', 7; return 1 }
	fmt.Println(words[string(bytes)], fill(), words[string(bytes)])
	words[key] += fill()
	words["a"] /= count()
	fmt.Println(words)
	pairs, first := map[[2]string]int{{"a", "b"}: 1}, "a"
	pair := func() int { pairs[[2]string{"a", "b"}]++; first = "c"; return 1 }
	fmt.Println(id(pairs[[2]string{first, "b"}], pair(), pairs[[2]string{"a", "b"}]))
	boxes, box := map[any]int{1: 1}, any(1)
	open := func() int { boxes[1]++; boxes["s"] = 5; box = "s"; return 1 }
	fmt.Println(boxes[box]*2, open(), boxes[box])
	held := func() (int, int) { return boxes[box] + 1, open() }
	fmt.Println(held())
	big := map[int][20]int{1: {1}}
	grow := func() int { big[1] = [20]int{9}; return 1 }
	a, b := big[1], grow()
	fmt.Println(a[0], b, big[1][0]+grow())
	one, two := 1, 2
	var v any = &one
	swap := func() int { v = &two; return 3 }
	p, c := v.(*int), swap()
	fmt.Println(*p, c)
	try("lookup", func() { var m map[any]int; g = 8; fmt.Println(m[func() {}], setg(9)) })
	try("assertion", func() { fmt.Println(*v.(*string), setg(10)) })
}

type embedded struct{ a, b int }

type inner[K any] struct {
	A K
	embedded
}

type outer[K any] struct {
	Z K
	inner[K]
}

func measures[K any](d *inner[K], t outer[K], ts []outer[K]) {
	fmt.Println(unsafe.Offsetof(d.b), unsafe.Offsetof(d.embedded.b), unsafe.Offsetof(d.embedded), unsafe.Offsetof(d.A), unsafe.Offsetof((*d).b))
	fmt.Println(unsafe.Offsetof(t.b), unsafe.Offsetof(t.embedded.b), unsafe.Offsetof(t.A), unsafe.Offsetof(t.inner.b), unsafe.Offsetof(t.inner.A))
	fmt.Println(unsafe.Offsetof(ts[0].b), unsafe.Offsetof(ts[0].embedded), unsafe.Sizeof(ts[1]), unsafe.Sizeof(*d), unsafe.Alignof(d.A))
}
