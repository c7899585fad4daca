// Loops over functions whose code takes the place of their calls: results, ways out of loops,
// states that iterators must not see, and no objects.
package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func filter(seq iter.Seq[int], keep func(int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for x := range seq {
			if keep(x) && !yield(x) {
				return
			}
		}
	}
}

type tree struct {
	l, r *tree
	v    int
}

func (t *tree) all(yield func(int) bool) bool {
	return t == nil || t.l.all(yield) && yield(t.v) && t.r.all(yield)
}
func (t *tree) All() iter.Seq[int] { return func(yield func(int) bool) { t.all(yield) } }

func find(n, want int) (int, bool) {
	for x := range count(n) {
		if x == want {
			return x * 2, true
		}
	}
	return -1, false
}

func nested(n int) (s int) {
outer:
	for x := range count(n) {
		for y := range count(n) {
			if y > x {
				continue outer
			}
			if x*y > 50 {
				break outer
			}
			s += x*y + 1
		}
	}
	return
}

func sum(n int) (s int) {
	for x := range count(n) {
		s += x
	}
	return
}

func odd(n int) (s int) {
	for x := range filter(count(n), func(x int) bool { return x%2 == 1 }) {
		s += x
	}
	return
}

func bad() (msg string) {
	defer func() { msg = fmt.Sprint(recover()) }()
	for x := range func(yield func(int) bool) { yield(1); yield(2) } {
		fmt.Println("x", x)
		break
	}
	return "none"
}

func panics() (msg string) {
	defer func() {
		msg = fmt.Sprint(recover())
	}()
	for x := range count(3) {
		if x == 1 {
			panic("at one")
		}
	}
	return "none"
}

func defers(n int) {
	for x := range count(n) {
		defer fmt.Println("deferred", x)
	}
}

func values(s []string) (n int) {
	for _, x := range slices.All(s) {
		n += len(x)
	}
	for x := range slices.Values(s) {
		n += len(x)
	}
	return
}

func keys(m map[string]int) (n int) {
	for k := range maps.Keys(m) {
		n += len(k)
	}
	return
}

func closures(n int) (fs []func() int) {
	for x := range count(n) {
		fs = append(fs, func() int { x++; return x })
	}
	return
}

// twice calls the body in two places.
func twice(yield func(int) bool) {
	if yield(1) {
		yield(2)
	}
}

// keeps hands the body out, to be called when the loop is over.
func keeps(to *func(int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		*to = yield
		yield(7)
	}
}

func late() (msg string) {
	defer func() { msg = fmt.Sprint(recover()) }()
	var kept func(int) bool
	for x := range keeps(&kept) {
		fmt.Println("kept", x)
	}
	kept(8)
	return "none"
}

// elsewhere calls the body from another goroutine.
func elsewhere(yield func(int) bool) {
	done := make(chan bool)
	go func() { done <- yield(3) }()
	fmt.Println("went on:", <-done)
}

// swallows recovers from the body's panic and returns.
func swallows(yield func(int) bool) {
	defer func() { fmt.Println("swallowed", recover()) }()
	yield(1)
}

func swallowed() (msg string) {
	defer func() { msg = fmt.Sprint(recover()) }()
	for range swallows {
		panic("inside")
	}
	return "none"
}

// results returns from inside of two loops.
func results(n int) (a int, b string, err error) {
	defer func() { b += "!" }()
	for x := range count(n) {
		for y := range twice {
			a += x * y
			if a > 10 {
				return a, fmt.Sprint(x, y), fmt.Errorf("at %d", x)
			}
		}
	}
	return
}

type list[T any] struct {
	head T
	tail *list[T]
}

func (l *list[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for at := l; at != nil; at = at.tail {
			if !yield(i, at.head) {
				return
			}
			i++
		}
	}
}

func zip[A, B any](a []A, b []B) iter.Seq2[A, B] {
	type both struct {
		a A
		b B
	}
	return func(yield func(A, B) bool) {
		for i := range min(len(a), len(b)) {
			p := any(both{a[i], b[i]}).(both)
			if !yield(p.a, p.b) {
				return
			}
		}
	}
}

// rec nests loops over itself.
func rec(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n == 0 {
			return
		}
		for x := range rec(n - 1) {
			if !yield(x) {
				return
			}
		}
		yield(n)
	}
}

func main() {
	for x := range twice {
		fmt.Println("twice", x)
	}
	fmt.Println(late())
	for x := range elsewhere {
		fmt.Println("elsewhere", x)
	}
	fmt.Println(swallowed())
	fmt.Println(results(2))
	fmt.Println(results(20))
	for i, s := range (&list[string]{"a", &list[string]{"b", nil}}).All() {
		fmt.Println(i, s)
	}
	for a, b := range zip([]int{1, 2, 3}, []string{"x", "y"}) {
		fmt.Println(a, b)
	}
	for x := range rec(3) {
		fmt.Println("rec", x)
	}
	seq := filter(filter(count(40), func(x int) bool { return x%3 == 0 }), func(x int) bool { return x%2 == 0 })
	for x := range seq {
		for y := range seq {
			if y > x {
				break
			}
			fmt.Print(x*y, " ")
		}
	}
	fmt.Println()
	next, stop := iter.Pull(count(3))
	fmt.Println(next())
	stop()
	fmt.Println(find(10, 5))
	fmt.Println(find(3, 5))
	fmt.Println(nested(20), sum(100), odd(10))
	fmt.Println(bad())
	fmt.Println(panics())
	defers(3)
	t := &tree{&tree{nil, nil, 1}, &tree{nil, nil, 3}, 2}
	for x := range t.All() {
		fmt.Println(x)
		if x == 2 {
			break
		}
	}
	words := []string{"a", "bc", "def"}
	m := map[string]int{"x": 1, "yy": 2}
	fmt.Println(values(words), keys(m))
	for _, f := range closures(3) {
		fmt.Println(f(), f())
	}
	for name, f := range map[string]func(){"sum": func() { sum(50) }, "odd": func() { odd(50) }, "values": func() { values(words) }, "keys": func() { keys(m) }, "nested": func() { nested(9) }} {
		if a := testing.AllocsPerRun(10, f); a != 0 {
			fmt.Println(name, "allocates", a)
		}
	}
}
