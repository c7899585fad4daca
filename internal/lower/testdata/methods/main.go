// Command methods calls the methods of receivers of all shapes in all ways that reflect has.
// run_test.go compares its output with gc's.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
)

type Big struct {
	a [9]int
	s string
}

func (b Big) Sum(x ...int) (t int, s string) {
	for _, v := range b.a {
		t += v
	}
	for _, v := range x {
		t += v
	}
	return t, b.s
}
func (b *Big) Set(i, v int) *Big { b.a[i] = v; return b }
func (b Big) Ret() Big           { b.a[0]++; return b }

type Arr [2]string

func (a Arr) Join(sep string) string { return a[0] + sep + a[1] }

type One [1]int

func (o One) Get() (int, One) { return o[0], o }

type Ptr struct{ p *int }

func (p Ptr) Val() int { return *p.p }

type F64 float64

func (f F64) Mul(x float64, c complex128) (F64, complex128) {
	return f * F64(x), c * complex(float64(f), 0)
}

type Fn func(int) int

func (f Fn) Twice(x int) int { return f(f(x)) }

type Ch chan int

func (c Ch) Put(x int) { c <- x }

type M map[string]int

func (m M) Keys() (ks []string) {
	for k := range m {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	return
}

type Str string

func (s Str) Up() Str { return Str(strings.ToUpper(string(s))) }

type Mixed struct {
	b  bool
	i8 int8
	f  float32
	s  string
}

func (m Mixed) All() (bool, int8, float32, string) { return !m.b, -m.i8, m.f * 2, m.s + "!" }

type Emb struct {
	*Big
	Arr
	n int
}
type Emb2 struct {
	Emb
	Str
}
type Empty struct{}

func (Empty) Nop(a, b, c, d, e, f, g int, h float64, i string, j Big) (int, float64, string, int) {
	return a + b + c + d + e + f + g, h, i, j.a[3]
}

type I interface{ Sum(...int) (int, string) }
type J interface {
	Join(string) string
	I
}
type Slice []int

func (s Slice) Len2() int  { return len(s) * 2 }
func (s *Slice) Add(x int) { *s = append(*s, x) }

type G[K comparable, V any] struct {
	m   map[K]V
	def V
}

func (g G[K, V]) Get(k K) V {
	if v, ok := g.m[k]; ok {
		return v
	}
	return g.def
}
func (g *G[K, V]) Put(k K, v V) {
	if g.m == nil {
		g.m = map[K]V{}
	}
	g.m[k] = v
}

func arg(t reflect.Type, i int) reflect.Value {
	switch t.Kind() {
	case reflect.Int:
		return reflect.ValueOf(i + 1)
	case reflect.Float64:
		return reflect.ValueOf(float64(i) + 0.5)
	case reflect.Complex128:
		return reflect.ValueOf(complex(float64(i), 1))
	case reflect.String:
		return reflect.ValueOf(fmt.Sprint("s", i)).Convert(t)
	case reflect.Slice:
		return reflect.MakeSlice(t, 2, 2)
	}
	v := reflect.New(t).Elem()
	if t == reflect.TypeOf(Big{}) {
		v.Set(reflect.ValueOf(Big{a: [9]int{3: 33}}))
	}
	return v
}

func all(x any) {
	v := reflect.ValueOf(x)
	t := v.Type()
	for i := range t.NumMethod() {
		m := t.Method(i)
		ft := v.Method(i).Type()
		var in []reflect.Value
		for k := range ft.NumIn() {
			in = append(in, arg(ft.In(k), k))
		}
		call := func(f reflect.Value, in []reflect.Value) (out []string) {
			var r []reflect.Value
			if ft.IsVariadic() {
				r = f.CallSlice(in)
			} else {
				r = f.Call(in)
			}
			for _, o := range r {
				for o.Kind() == reflect.Pointer {
					o = o.Elem()
				}
				out = append(out, fmt.Sprint(o))
			}
			return
		}
		a := call(v.Method(i), in)
		b := call(m.Func, append([]reflect.Value{v}, in...))
		fn := reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
			if ft.IsVariadic() {
				return v.Method(i).CallSlice(args)
			}
			return v.Method(i).Call(args)
		})
		c := call(fn, in)
		d := call(reflect.ValueOf(fn.Interface()), in)
		fmt.Println(t, m.Name, ft, a, b, c, d)
	}
}

func main() {
	n := 77
	ch := make(Ch, 100)
	b := &Big{a: [9]int{1, 2, 3, 4, 5, 6, 7, 8, 9}, s: "big"}
	sl := Slice{1, 2}
	g := &G[string, Big]{}
	g.Put("s0", *b)
	for _, x := range []any{*b, b, Arr{"x", "y"}, &Arr{"p", "q"}, One{5}, &One{6}, Ptr{&n}, &Ptr{&n}, F64(2.5), Fn(func(x int) int { return x * 3 }), ch, M{"b": 1, "a": 2}, Str("up"), Mixed{true, 5, 1.5, "m"}, &Mixed{},
		Emb{b, Arr{"e", "f"}, 1}, &Emb{b, Arr{"g", "h"}, 1}, Emb2{Emb{b, Arr{"i", "j"}, 2}, "str"}, &Emb2{Emb{b, Arr{"i", "j"}, 2}, "str"}, Empty{}, &Empty{}, sl, &sl, *g, g,
		struct {
			I
			Str
		}{b, "in"}, &struct{ *Emb }{&Emb{b, Arr{"k", "l"}, 3}}, struct{ J }{Emb{b, Arr{"m", "n"}, 4}}, G[int, string]{def: "d"}, &G[Arr, error]{}} {
		all(x)
	}
	fmt.Println(len(ch), len(sl))
	var i I = *b
	f := i.Sum
	b.a[0] = 1000
	fmt.Println(f(1))
	var j J = Emb{b, Arr{"1", "2"}, 0}
	fmt.Println(j.Join("-"), j.(I) == i)
}
