//go:build go1.27

package main

type A struct {
	a int
	B
	C
	*D
}
type B struct {
	b int
	C
}
type C struct {
	c int
	E
}
type D struct{ p, q, r int }
type E struct{ x, y, z int }

func main() {
	_ = A{A: 0}
	_ = A{X: 0}
	_ = A{p: 0}
	_ = B{C: C{}, x: 0}
	_ = B{x: 0, C: C{}}
	_ = A{b: 0, B: B{}}
	_ = A{B: B{}, b: 0}
	_ = A{a: 0, a: 1}
	_ = B{x: 0, x: 1}
	_ = B{x: "s"}
	_ = B{C.c: 0}
	_ = A{x: 0}
	_ = A{c: 0}
	_ = B{b: 0, 1}
	_ = B{E: E{}, x: 1}
	_ = B{c: 1, E: E{}, y: 2}
	_ = [...]B{{x: 1, nope: 2}}
	_ = &B{nope: 1}
	_ = map[string]B{"x": {x: 1.5}}
	_ = struct{ B }{main: 1}
}
