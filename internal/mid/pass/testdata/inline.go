package p

import "iter"

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func even(seq iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for x := range seq {
			if x%2 == 0 && !yield(x) {
				return
			}
		}
	}
}

//go:noinline
func hidden(yield func(int) bool) { yield(1) }

// inline: no call and no closure is left.
func sum(n int) (s int) {
	for x := range upTo(n) {
		s += x
	}
	return s
}

// inline: an iterator over an iterator, and a way out of the loop.
func firstEven(n int) int {
	for x := range even(upTo(n)) {
		if x > 5 {
			return x
		}
	}
	return -1
}

// inline: this one stays a call, with a closure.
func opaque() (s int) {
	for x := range hidden {
		s += x
	}
	return s
}

type point struct{ x, y int }

func newPoint(x, y int) *point { return &point{x, y} }

func (p *point) add(q *point) *point { return newPoint(p.x+q.x, p.y+q.y) }

// inline: constructors, one within the other.
func total() int {
	p := newPoint(1, 2).add(newPoint(3, 4))
	return p.x + p.y
}

func apply(list []int, f func(int) int) {
	for i, x := range list {
		list[i] = f(x)
	}
}

// inline: a literal that is passed to a small function, and what it captures.
func scale(list []int, by int) {
	apply(list, func(x int) int { return x * by })
}

func divide(a, b int) (int, bool) {
	if b == 0 {
		return 0, false
	}
	return a / b, true
}

// inline: two results of two returns.
func half(n int) int {
	q, ok := divide(n, 2)
	if !ok {
		return -1
	}
	return q
}

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1)
}

func closes(f func()) { defer f() }

func forever() {
	for {
	}
}

func catch() any { return recover() }

// inline: none of these.
func calls() int {
	closes(func() {})
	if catch() != nil {
		forever()
	}
	hidden(nil)
	return factorial(5)
}
