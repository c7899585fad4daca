// Literals in the initialisers of package variables: of those within maps and calls gc makes the calls first, of others not.
package main

import "fmt"

type C struct{ x, c int }
type D struct {
	C
	d int
}
type M struct {
	m map[string]C
	k int
}

var k = 1

func inc() int { k++; return k }

var a1 = map[string]C{"a": {x: k, c: inc()}}
var a2 = map[string]D{"a": {C: C{x: k}, d: inc()}}
var a3 = map[string]*C{"a": {x: k, c: inc()}}
var a4 = map[string][]int{"a": {k, inc()}}
var a5 = map[string][2]int{"a": {k, inc()}}
var a6 = []map[string]C{{"a": {x: k, c: inc()}}, {"b": {x: k, c: inc()}}}
var a7 = M{m: map[string]C{"q": {x: k, c: inc()}}, k: k}
var a8 = map[C]int{{x: k, c: inc()}: k}
var a9 = map[string]any{"a": C{x: k, c: inc()}, "b": k, "c": &C{x: k, c: inc()}}
var b1 = map[string]C{"a": {x: k, c: inc()}, "b": {x: k, c: inc()}}
var b2 = map[string][]C{"a": {{x: k, c: inc()}, {x: k, c: inc()}}}
var b3 = any(C{x: k, c: inc()})
var b4 = []any{C{x: k, c: inc()}, k, &C{x: k, c: inc()}}
var b5 = fmt.Sprint(&C{k, inc()})
var b6 = map[string]func() int{"a": func() int { return k }, "b": fn(k, inc())}
var b7 = map[int]int{k: inc(), inc(): k}
var b8 = map[string]int{"a": k, "b": inc(), "c": k}

func fn(a, b int) func() int { return func() int { return a*1000 + b } }

func main() {
	fmt.Println(a1, a2, *a3["a"], a4, a5, a6, a7, a8, a9["a"], a9["b"], *a9["c"].(*C))
	fmt.Println(b1, b2, b3, b4[0], b4[1], *b4[2].(*C), b5, b6["a"](), b6["b"](), b7, b8)
}
