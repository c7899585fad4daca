// Frames of functions that defer are linked where the ways to the defer statements part: returns before and beside them, panics before,
// between and after, loops that are left by a defer statement.
package main

import (
	"errors"
	"fmt"
	"strings"
)

var trace strings.Builder

func note(s string) { trace.WriteString(s) }

func boom(at, here int) {
	if at == here {
		panic(fmt.Sprint("at ", here))
	}
}

//go:noinline
func two(n, at int, a, b bool) (s string) {
	boom(at, 0)
	s = "early"
	if n < 0 {
		return "negative"
	}
	if n == 0 {
		boom(at, 1)
		return
	}
	s = "parted"
	if a {
		boom(at, 2)
		defer func() { note("a"); s += "+a"; boom(at, 20) }()
		boom(at, 3)
	}
	boom(at, 4)
	if b {
		defer func() {
			note("b")
			s += "+b"
			if r := recover(); r != nil {
				s += fmt.Sprint("(", r, ")")
			}
		}()
		if n == 2 {
			return s + "2"
		}
		boom(at, 5)
	}
	boom(at, 6)
	if n == 3 {
		return s + "3"
	}
	var p *int
	if at == 7 {
		s = "fault"
		*p = 1
	}
	return s + "end"
}

//go:noinline
func loop(n, at int) (err error) {
	for i := range n {
		boom(at, i)
		switch i {
		case 3:
			defer func() { note("three"); err = errors.Join(err, errors.New("3")) }()
			boom(at, 30)
			return nil
		case 2:
			if at == 2 {
				defer func() { err = fmt.Errorf("recovered %v", recover()) }()
				panic("two")
			}
		}
		note(".")
	}
	return errors.New("none")
}

//go:noinline
func recursive(n int, a bool) (x int) {
	if n == 0 {
		return 1
	}
	if a {
		defer func() { x *= 2 }()
	}
	x = recursive(n-1, !a)
	if n%3 == 0 {
		defer func() { x += 3 }()
	}
	if n == 100 && a {
		defer func() { recover(); x = -x }()
		panic(n)
	}
	return x + 1
}

type T struct{ n int }

func (t *T) done() { note("done"); t.n++ }

//go:noinline
func unnamed(t *T, k int) int {
	switch k {
	case 0:
		return 10
	case 1:
		defer t.done()
	case 2:
		defer note("two")
		return t.n * 5
	default:
		return 7
	}
	return t.n
}

func try(name string, f func() any) {
	trace.Reset()
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panicked", r, trace.String())
		}
	}()
	r := f()
	fmt.Println(name, r, trace.String())
}

func main() {
	for _, n := range []int{-1, 0, 1, 2, 3} {
		for _, at := range []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 20} {
			for k := range 4 {
				try(fmt.Sprint("two ", n, at, k), func() any { return two(n, at, k&1 != 0, k&2 != 0) })
			}
		}
	}
	for n := range 6 {
		for _, at := range []int{-1, 0, 2, 3, 30} {
			try(fmt.Sprint("loop ", n, at), func() any { return loop(n, at) })
		}
	}
	fmt.Println(recursive(20, true), recursive(20, false), recursive(101, true), recursive(101, false))
	for k := range 4 {
		t := &T{k}
		try("unnamed", func() any { return unnamed(t, k) })
		try("nil", func() any { return unnamed(nil, k) })
		fmt.Println(t.n)
	}
}
