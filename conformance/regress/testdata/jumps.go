// Wrappers jump to the method that they are for: it has the caller that a call would have had.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type big struct{ a, b, c, d, e int }

type inner struct {
	n int
	s string
}

func (i inner) sum(a, b, c, d, e, f, g int) int { return i.n + a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g }
func (i inner) whole(x int) big                 { return big{i.n, x, len(i.s), x * x, 5} }
func (i *inner) set(x int) *inner               { i.n = x; return i }
func (i inner) recovers()                       { fmt.Println(i.n, recover()) }
func (i inner) callers() (names []string) {
	pcs := make([]uintptr, 20)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			names = append(names, fmt.Sprint(f.Function, ":", f.Line))
		}
		if !more {
			return names
		}
	}
}

type middle struct {
	pad [3]int
	inner
}

type outer struct {
	pad int
	*middle
}

type methods interface {
	sum(a, b, c, d, e, f, g int) int
	whole(x int) big
	set(x int) *inner
	recovers()
	callers() []string
}

type holder struct{ methods }

func deferred(m methods) {
	defer m.recovers()
	panic("first")
}

func try(m methods, name string, f func(methods)) {
	defer func() {
		if err := recover(); err != nil {
			fmt.Println(name, err)
		}
	}()
	f(m)
}

func main() {
	i := inner{3, "three"}
	var none *inner
	for _, m := range []methods{&i, &middle{inner: i}, outer{1, &middle{inner: i}}, &outer{2, &middle{inner: i}}, holder{&i}, &holder{&i},
		none, (*middle)(nil), outer{}, (*outer)(nil), holder{}, (*holder)(nil)} {
		try(m, "sum", func(m methods) { fmt.Println(m.sum(1, 2, 3, 4, 5, 6, 7)) })
		try(m, "whole", func(m methods) { fmt.Println(m.whole(9)) })
		try(m, "set", func(m methods) { fmt.Println(m.set(4).n) })
		try(m, "recovers", deferred)
		try(m, "callers", func(m methods) { fmt.Println(m.callers()) })
		try(m, "value", func(m methods) { f := m.callers; fmt.Println(f()) })
		try(m, "go", func(m methods) {
			done := make(chan bool)
			f := m.set
			go func() {
				defer close(done)
				defer func() { fmt.Println(recover()) }()
				f(5)
			}()
			<-done
		})
	}
	f, g := (*middle).callers, methods.callers
	fmt.Println(f(&middle{}), g(outer{1, &middle{}}))
}
