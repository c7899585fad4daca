// Objects that constructors make in the frames of their callers.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"loam/internal/lower/testdata/made/lib"
)

type node struct {
	v    int
	next *node
	s    []int
}

func mk(v int, n *node) *node { return &node{v: v, next: n, s: make([]int, 3)} }
func two(v int) *node         { return mk(v, mk(v+1, nil)) }
func boxed(v int) any         { return v * 1000 }
func clo(v int) func() int    { return func() int { v++; return v } }
func pair() (*node, error)    { return mk(1, nil), nil }

type failure struct{ v int }

func (f *failure) Error() string { return fmt.Sprint("failure ", f.v) }

//go:noinline
func fill(v int, n *node) (*node, error) {
	if v < 0 {
		return nil, &failure{v}
	}
	n.v = v
	return n, nil
}
func filled(v int) (*node, error) { return fill(v, &node{}) }

type T struct{ b *bytes.Buffer }

func newT(b []byte) T { return T{bytes.NewBuffer(b)} }

var sink any

func check(name string, f func()) { fmt.Println(name, testing.AllocsPerRun(100, f)) }

//go:noinline
func both(n int) (sum int) {
	var around [20]int
	for i := range around {
		around[i] = n + i
	}
	l, b := lib.Both[int](n, n)
	sum = l.Sum() + b.Value
	for _, v := range around {
		sum += v
	}
	return sum
}

func main() {
	fmt.Println(both(3), lib.Use(3))
	check("mk", func() { p := mk(3, nil); p.s[1] = p.v; total += p.s[1] })
	check("two", func() { p := two(3); total += p.next.v + p.next.s[2] })
	check("two in loop", func() {
		for i := range 5 {
			p := two(i)
			total += p.next.v
		}
	})
	check("list", func() {
		var p *node
		for i := range 5 {
			p = mk(i, p)
		}
		for ; p != nil; p = p.next {
			total += p.v
		}
	})
	check("leak", func() { sink = two(1) })
	check("boxed", func() { total += boxed(total % 10).(int) })
	check("clo", func() { total += clo(total)() })
	check("pair", func() {
		p, err := pair()
		if err == nil {
			total += p.v
		}
	})
	check("error", func() {
		p, err := filled(total & 7)
		if err != nil {
			sink = err
		} else {
			total += p.v
		}
	})
	check("buffer", func() { b := bytes.NewBuffer(buf); b.WriteByte(1); total += b.Len() })
	check("T", func() { t := newT(buf); total += t.b.Len() })
	check("reader", func() { r := strings.NewReader("abc"); total += r.Len() })
	check("utf16", func() { total += len(utf16.Decode([]uint16{'a', 'b', 'c'})) })
	check("err", func() {
		if errors.New("x").Error() == "y" {
			total++
		}
	})
	fmt.Println(total)
}

var total int
var buf = make([]byte, 0, 100)
