// A struct that ends with a field of no size is padded behind it: what follows it in another struct, array or list of results
// lies behind the padding.
package main

import (
	"fmt"
	"reflect"
	"unsafe"
)

type tail struct {
	n int8
	_ [0]int
}

type mark struct {
	p *int
	_ struct{}
}

type outer struct {
	t tail
	m mark
	b int8
}

var g int8 = 10

//go:noinline
func literal() (outer, complex64) { return outer{tail{n: 3}, mark{p: new(int)}, g}, complex(1, 2) }

//go:noinline
func pass(a tail, b int8, c mark, d string) (string, tail, int8, struct{}) {
	return fmt.Sprint(a.n, b, c.p != nil, d), tail{n: a.n + 1}, b + 1, struct{}{}
}

//go:noinline
func pair(x tail) (tail, struct{}) { return tail{n: x.n * 2}, struct{}{} }

type caller interface {
	call(x struct {
		t tail
		b int8
	}) (r struct {
		m [1]mark
		b int8
	})
}

func (t tail) call(x struct {
	t tail
	b int8
}) (r struct {
	m [1]mark
	b int8
}) {
	r.b = x.b + x.t.n + t.n
	r.m[0].p = new(int)
	return
}

func main() {
	x, y := literal()
	fmt.Println(x.t.n, x.m.p != nil, x.b, y, unsafe.Sizeof(x), unsafe.Offsetof(x.b))
	var i any = x
	fmt.Println(i.(outer).b, i == any(x), map[tail]int8{x.t: g}[x.t])
	fmt.Println(pass(x.t, 7, x.m, "d"))
	fmt.Println(pair(x.t))
	all := []any{x.t, x.m, [1]tail{x.t}, struct {
		t tail
		b int8
	}{x.t, 5}}
	for _, v := range all {
		fmt.Println(reflect.TypeOf(v).Size(), reflect.ValueOf(v).NumMethod())
	}
	out := reflect.ValueOf(pass).Call([]reflect.Value{reflect.ValueOf(x.t), reflect.ValueOf(int8(1)), reflect.ValueOf(x.m), reflect.ValueOf("r")})
	fmt.Println(out[0], out[1].Field(0), out[2])
	var c caller = x.t
	r := c.call(struct {
		t tail
		b int8
	}{x.t, 4})
	fmt.Println(r.b, r.m[0].p != nil)
	f := reflect.MakeFunc(reflect.TypeFor[func(tail, int8) (tail, int8)](), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{in[0], reflect.ValueOf(int8(in[1].Int() + in[0].Field(0).Int()))}
	}).Interface().(func(tail, int8) (tail, int8))
	fmt.Println(f(x.t, 20))
	ch := make(chan outer, 1)
	ch <- x
	fmt.Println((<-ch).b)
	defer func(t tail, b int8) { fmt.Println(t.n, b, recover()) }(x.t, 9)
	go func(t tail, b int8) {}(x.t, 9)
	panic(fmt.Sprint([2]outer{x, x}[1].b))
}
