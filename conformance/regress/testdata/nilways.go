// A pointer that is asked on one way only is asked again where the ways meet, behind loops that may not run, behind
// calls and defers that recover, and wherever the variable has got another value.
package main

import "fmt"

type node struct {
	key, value int
	next       *node
}

type lister interface{ Len() int }

func (n *node) Len() int { return n.value }

func try(name string, f func() int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, r)
		}
	}()
	fmt.Println(name, f())
}

//go:noinline
func branch(n *node, first, second bool) (s int) {
	if first {
		s += n.key
	} else if second {
		s += 10
	}
	return s + n.value
}

//go:noinline
func either(n, m *node, first bool) int {
	p := m
	if first {
		p = n
		p.key++
	}
	return p.value
}

//go:noinline
func loop(n *node, times int) (s int) {
	for range times {
		s += n.value
	}
	return s + n.key
}

//go:noinline
func chase(n *node, times int) (s int) {
	for i := 0; i < times; i++ {
		s += n.value
		n = n.next
	}
	return s
}

//go:noinline
func short(n *node, ask bool) bool { return ask && n.key == 1 || n.value == 2 }

//go:noinline
func recovers(n *node) (s int) {
	defer func() {
		if recover() != nil {
			s += 100 + loop(n, 0)
		}
	}()
	s = 1
	s += n.value
	return s + n.key
}

//go:noinline
func deferred(l lister, wanted bool) (s int) {
	if wanted {
		defer l.Len()
	}
	s = 1
	return s + l.Len()
}

//go:noinline
func calls(f func() int, first bool) (s int) {
	if first {
		s = f()
	}
	return s + f()
}

//go:noinline
func array(a *[4]int, i int, first bool) (s int) {
	if first {
		s = a[3]
	}
	return s + a[i]
}

//go:noinline
func compared(n *node, key int) int {
	switch {
	case n == nil && key == 0:
		return -1
	case n != nil && key == 1:
		return n.key
	}
	return n.value
}

func main() {
	full := &node{1, 2, &node{3, 4, nil}}
	for _, n := range []*node{full, nil} {
		for _, b := range []bool{false, true} {
			try("branch", func() int { return branch(n, b, !b) })
			try("branch not", func() int { return branch(n, false, b) })
			try("either", func() int { return either(n, full, b) })
			try("either other", func() int { return either(full, n, b) })
			try("short", func() int { fmt.Println(short(n, b)); return 0 })
			var l lister
			var f func() int
			var a *[4]int
			if n != nil {
				l, f, a = n, n.Len, &[4]int{1, 2, 3, 4}
			}
			try("deferred", func() int { return deferred(l, b) })
			try("deferred nil", func() int { return deferred(n, b) })
			try("calls", func() int { return calls(f, b) })
			try("array", func() int { return array(a, 1, b) })
		}
		for i := range 3 {
			try("loop", func() int { return loop(n, i) })
			try("chase", func() int { return chase(n, i) })
			try("chase on", func() int { return chase(n, 3*i) })
			try("compared", func() int { return compared(n, i) })
		}
		try("recovers", func() int { return recovers(n) })
	}
}
