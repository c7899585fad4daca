// Since Go 1.26 an interface holds a struct itself whose only word is a pointer, whatever fields without size are before it. Package
// reflect made such types, and found that those of the program were kept otherwise.
package main

import (
	"fmt"
	"reflect"
)

type empty struct{}

type after struct {
	E empty
	P *int
}

func (a after) Get() int { return *a.P }

type before struct {
	P *int
	Z [0]int
}

func (b before) Get() int { return *b.P - 1 }

type function struct {
	_ [0]func()
	F func() int
}

func (f function) Get() int { return f.F() }

type getter interface{ Get() int }

//go:noinline
func same[T getter](x T) (any, T) { return x, x }

//go:noinline
func assert[T getter](x any) int {
	t, ok := x.(T)
	if !ok {
		return -1
	}
	defer t.Get()
	get := x.(T).Get
	return get() + getter(t).Get()
}

func check[T getter](name string, x T) {
	a, b := same(x)
	fmt.Println(name, assert[T](a), assert[T](any(b)), a.(getter).Get())
	v := reflect.ValueOf(x)
	fmt.Println(v.Method(0).Call(nil)[0], v.Method(0).Interface().(func() int)(), v.Interface().(T).Get())
	f := reflect.MakeFunc(reflect.TypeFor[func(T, int) (int, T)](), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(T, int) (int, T))
	n, y := f(x, 3)
	fmt.Println(n, y.Get(), reflect.ValueOf(func(x T) int { return x.Get() }).Call([]reflect.Value{v})[0])
	c := make(chan any, 1)
	c <- y
	fmt.Println((<-c).(T).Get(), getter.Get(x), T.Get(x))
	if v.Comparable() {
		m := map[any]int{x: 1}
		m[y]++
		fmt.Println(m[x], any(x) == any(y), reflect.ValueOf(m).MapKeys()[0].Interface().(getter).Get())
	}
	var fields []reflect.StructField
	for i := range v.NumField() {
		if fields = append(fields, v.Type().Field(i)); !fields[i].IsExported() {
			return
		}
	}
	made := reflect.New(reflect.StructOf(fields)).Elem()
	made.Set(v.Convert(made.Type()))
	i := made.Interface()
	fmt.Println(reflect.ValueOf(i).Convert(v.Type()).Interface().(T).Get())
	in := reflect.New(reflect.ArrayOf(1, v.Type())).Elem()
	in.Index(0).Set(reflect.ValueOf(i).Convert(v.Type()))
	fmt.Println(in.Interface().([1]T)[0].Get())
}

var static = []any{after{P: new(int)}, before{}, function{F: func() int { return 4 }}}

//go:noinline
func zeros(a [3]empty, n int, b [2][0]string, c any) ([2]empty, int, any, bool) {
	return [2]empty{}, n + len(a), b, a == c
}

func main() {
	x := 5
	check("after", after{P: &x})
	check("before", before{P: &x})
	check("function", function{F: func() int { return x }})
	fmt.Println(static[0].(getter).Get(), static[1].(before).P == nil, static[2].(function).F())
	fmt.Println(zeros([3]empty{}, 7, [2][0]string{}, [3]empty{}))
	fmt.Println(reflect.ValueOf(zeros).Call([]reflect.Value{reflect.ValueOf([3]empty{}), reflect.ValueOf(8), reflect.ValueOf([2][0]string{}), reflect.ValueOf(&x)})[1])
}
