// Copies of variables whose elements are written by index, among fields that are parts of words.
package main

import "fmt"

type part struct {
	p *bool
	f float32
	_ [3]byte
	z struct{}
}

type board struct {
	cells [6]int
	moves int
	last  *int
}

var f float64

func setF(x float64) { f = x }

//go:noinline
func parts() {
	setF(2)
	l := [4]part{}
	for i, e := range l {
		e.f = l[3].f
		l[i], l[0] = l[0], e
	}
	setF(float64(l[2].f))
	none := []int{}
	none[1] = 2
}

//go:noinline
func move(b *board, at int) board {
	next := *b
	next.cells[at] = next.moves + 1
	next.moves++
	next.last = &b.cells[at]
	return next
}

type half struct{ a, b int32 }

//go:noinline
func halves(in *[5]half, i int) (out [5]half) {
	v := *in
	v[i].b++
	out = v
	v[4-i] = out[i]
	return v
}

func main() {
	func() {
		defer func() { fmt.Println(recover(), f) }()
		parts()
	}()
	b := board{}
	for i := range 20 {
		b = move(&b, (i*i+1)%6)
	}
	b.last = nil
	fmt.Println(b)
	h := [5]half{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}
	for i := range h {
		h = halves(&h, i)
	}
	fmt.Println(h)
}
