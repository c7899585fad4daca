// Closures in delve: what they hold by value and by address, seen from inside and outside. The
// test names lines of it.
package main

import "fmt"

type point struct{ x, y int }

type shape interface{ area() int }

func (p point) area() int { return p.x * p.y }

type table struct {
	count func() int
	list  []func() int
}

//go:noinline
func makeAcc(scale int) func(x int) int {
	a := 0
	return func(x int) int {
		a += x * scale
		return a
	}
}

//go:noinline
func generic[K comparable, V any](k K, v V, n int) func() map[K]V {
	return func() map[K]V {
		n++
		return map[K]V{k: v}
	}
}

//go:noinline
func kinds(b bool, small uint8, s string, p *point, list []int, m map[string]int, sh shape, e any, f func() int, c complex64) func() int {
	q, wide := point{1, 2}, [40]int{7: 7}
	var none struct{}
	return func() int {
		if q.x++; b {
			return len(s) + p.x + len(list) + wide[7] + m["k"] + sh.area() + f() + int(small) + int(real(c))
		}
		fmt.Println(e, none)
		return 0
	}
}

//go:noinline
func nested(n int) func() func() int {
	sum := 10
	return func() func() int {
		inner := n * 2
		return func() int {
			sum += inner // line 54
			return sum + n
		}
	}
}

//go:noinline
func call(f func()) { f() }

//go:noinline
func stop(at int) { kept = append(kept, at) }

var kept []any

func main() {
	acc := makeAcc(3)
	kept = append(kept, acc, generic(1, 'v', 2), point{7, 8}.area, nested(3)())
	stop(acc(1) + acc(2))
	g := generic("key", 2.5, 5)
	g()
	one := func() int { return 1 }
	k := kinds(true, 3, "four", &point{5, 6}, []int{1, 2, 3}, map[string]int{"k": 4}, point{2, 3}, "any", one, 1+2i)
	k()
	outer := nested(4)
	in := outer()
	in()
	t := table{acc4(acc), []func() int{in, nil, k}}
	method := point{3, 4}.area
	fmt.Println(t.count(), method())
	stop(2)
	text := "a string"; call(func() { fmt.Println(text) })
	defer func() { fmt.Println(recover(), text) }()
	go func() { fmt.Println(text) }()
	stop(3)
}

// acc4 calls what it has captured.
func acc4(f func(int) int) func() int { return func() int { return f(4) } }
