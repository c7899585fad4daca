// What reflect is told about slices too long for any memory differs from what make is told.
package main

import (
	"fmt"
	"math"
	"reflect"
)

func try(f func()) {
	defer func() {
		e := recover()
		fmt.Printf("%v %T\n", e, e)
	}()
	f()
}

var sink any

func main() {
	n := math.MaxInt
	slice := reflect.TypeFor[[]int]()
	try(func() { sink = reflect.MakeSlice(slice, n, n) })
	try(func() { sink = reflect.MakeSlice(slice, 1, 1<<46) })
	try(func() {
		sink = reflect.MakeSlice(reflect.SliceOf(reflect.ArrayOf(1<<47, reflect.TypeFor[byte]())), 3, 3)
	})
	try(func() { reflect.New(slice).Elem().Grow(n) })
	try(func() { sink = make([]int, n) })
	try(func() { sink = make([]int, 1, n) })
}
