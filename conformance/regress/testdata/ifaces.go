// Comparisons of interfaces of different types: one must implement the other's, its value need not.
package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

type failure struct{ s string }

func (f failure) Error() string { return f.s }

var errA, errB = errors.New("a"), failure{"b"}

//go:noinline
func asError(i int) error { return []error{nil, errA, errB}[i] }

//go:noinline
func asAny(i int) any { return []any{nil, errA, errB, 5, "b"}[i] }

//go:noinline
func asReader(i int) io.Reader { return []io.Reader{nil, strings.NewReader("x"), both}[i] }

//go:noinline
func asWriter(i int) io.ReadWriter { return []io.ReadWriter{nil, both}[i] }

var both = new(pipe)

type pipe struct{ io.Reader }

func (p *pipe) Write(b []byte) (int, error) { return len(b), nil }

func same[T comparable](x, y T) bool { return x == y }

func main() {
	for i := range 3 {
		for j := range 5 {
			e, a := asError(i), asAny(j)
			fmt.Println(i, j, e == a, a == e, e != a, a != e, any(e) == a, same[any](e, a))
			switch e {
			case a:
				fmt.Println("case a")
			}
			switch a {
			case e:
				fmt.Println("case e")
			}
		}
	}
	for i := range 3 {
		for j := range 2 {
			r, w := asReader(i), asWriter(j)
			fmt.Println(i, j, r == w, w == r, r != w, w != r)
		}
	}
	m := map[any]int{errA: 1, errB: 2}
	fmt.Println(m[asError(1)], m[asError(2)])
	defer func() { fmt.Println(recover()) }()
	var f any = func() {}
	fmt.Println(asError(1) == f)
	var g fmt.Stringer = fn(nil)
	fmt.Println(g == any(g))
}

type fn func()

func (fn) String() string { return "" }
