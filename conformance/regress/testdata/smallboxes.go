// Values that gc puts into interfaces without allocating were allocated: a struct or an array of one small integer.
package main

import (
	"fmt"
	"testing"
)

type (
	one[T any] struct{ x T }
	two[T any] struct{ x one[T] }
	pad[T any] struct {
		x T
		_ struct{}
		_ [0]int
		y [0]string
	}
	array[T any]  [1]T
	nested[T any] [1]struct{ x [1]one[T] }
	pair[T any]   struct{ a, b T }
	named[T any]  struct{ one[T] }
	big           struct {
		a, b, c, d, e int
		s             string
	}
	flag byte
)

var (
	sink  any
	sink2 fmt.Stringer
)

func (o one[T]) String() string { return fmt.Sprint(o.x) }

// measure prints how many allocations putting x into interfaces takes. The compiler knows nothing of x.
func measure[T comparable](name string, x T) {
	p := new(T)
	*p = x
	hide(p)
	var zero T
	a := testing.AllocsPerRun(10, func() { sink = *p })
	if sink.(T) != *p {
		fmt.Println("wrong value", sink, *p)
	}
	b := testing.AllocsPerRun(10, func() { sink = zero })
	if sink.(T) != zero {
		fmt.Println("wrong zero", sink)
	}
	fmt.Println(name, a, b, sink == any(zero), any(*p) == any(*p))
}

//go:noinline
func hide(any) {}

func measureAll[T comparable](name string, values ...T) {
	for i, v := range values {
		name := fmt.Sprintf("%s#%d", name, i)
		measure(name, v)
		measure(name+" one", one[T]{v})
		measure(name+" two", two[T]{one[T]{v}})
		measure(name+" array", array[T]{v})
		measure(name+" nested", nested[T]{{[1]one[T]{{v}}}})
		measure(name+" named", named[T]{one[T]{v}})
		measure(name+" pair", pair[T]{v, v})
		p := &one[T]{v}
		hide(p)
		fmt.Println(name, "stringer", testing.AllocsPerRun(10, func() { sink2 = *p }), sink2.String())
	}
}

// padded are those for whose bytes gc allocates, and words it does not.
func padded[T comparable](name string, values ...T) {
	for i, v := range values {
		p := &pad[T]{x: v}
		hide(p)
		fmt.Println(name, i, testing.AllocsPerRun(10, func() { sink = *p }), sink.(pad[T]).x == v)
	}
}

func main() {
	measureAll[bool]("bool", false, true)
	measureAll[int8]("int8", 0, 1, -1, 127, -128)
	measureAll[uint8]("uint8", 0, 200, 255)
	measureAll[flag]("flag", 3)
	measureAll[int16]("int16", 0, 255, 256, -1)
	measureAll[uint16]("uint16", 7, 255, 256, 65535)
	measureAll[int32]("int32", 5, 255, 256, -1)
	measureAll[uint32]("uint32", 255, 256)
	measureAll[int]("int", 0, 255, 256, -1)
	measureAll[uint64]("uint64", 255, 256, 1<<63)
	measureAll[uintptr]("uintptr", 255, 256)
	measureAll[float32]("float32", 0, 1)
	measureAll[float64]("float64", 0, 1)
	measureAll[complex64]("complex64", 0, 1)
	measureAll[string]("string", "", "x")
	padded[int16]("int16", 3, 300)
	padded[int32]("int32", 3, 300)
	padded[int]("int", 3, 300)
	measure("big", big{a: 1})
	measure("big", big{})
	measure("nothing", struct{}{})
	measure("nothing", [0]int{})
	measure("pointers", one[*int]{new(int)})

	type ints struct{ s []int }
	p := &ints{}
	hide(p)
	fmt.Println("slice", testing.AllocsPerRun(10, func() { sink = *p }), sink.(ints).s == nil)
	fmt.Println("literals", testing.AllocsPerRun(10, func() { sink = one[int]{5} }), testing.AllocsPerRun(10, func() { sink = one[int]{500} }),
		testing.AllocsPerRun(10, func() { sink = pair[int]{1, 2} }), testing.AllocsPerRun(10, func() { sink = big{} }),
		testing.AllocsPerRun(10, func() { sink = big{a: 3, s: "text"} }), testing.AllocsPerRun(10, func() { sink = [3]int{1, 2, 3} }),
		testing.AllocsPerRun(10, func() { sink = [3]int{} }), testing.AllocsPerRun(10, func() { sink = "text" }), testing.AllocsPerRun(10, func() { sink = 1000 }))
	literals()
}

var global = 17

type mixed struct {
	p    *int
	f    func() int
	i    any
	s    []int
	b    bool
	_    int32
	n    struct{ x, y int8 }
	a    [3]string
	c    complex64
	u    uintptr
	last one[float32]
}

func seven() int { return 7 }

// literals puts literals into interfaces of which all, some or none is constant.
func literals() {
	for i := range 3 {
		for _, v := range []any{pair[int]{1, i}, pair[int]{i, 1}, pair[int]{2, 3}, [5]int{2: 7}, [5]int{2: 7, 4: i}, two[string]{one[string]{"in"}},
			[2]pair[string]{{"a", "b"}, {"c", fmt.Sprint(i)}}, [2]pair[string]{{"a", "b"}, {"c", "d"}}} {
			fmt.Print(v, " ")
		}
		var v any = mixed{p: &global, f: seven, i: 5, b: true, n: struct{ x, y int8 }{1, 2}, a: [3]string{1: "one"}, c: 1 + 2i, u: 99, last: one[float32]{1.5}}
		m := v.(mixed)
		global++
		m.a[0] = "changed"
		again := v.(mixed)
		fmt.Println(*m.p, m.f(), m.i, m.s == nil, m.b, m.n, m.a, m.c, m.u, m.last, again.a)
		v = mixed{p: &i, a: [3]string{2: "two"}}
		fmt.Println(*v.(mixed).p, v.(mixed).a)
	}
}
