// Types that differ in a tag behind @@ only were one type, as the linker takes what is behind @@ in a symbol for a version.
package main

import (
	"fmt"
	"reflect"
)

type first = struct {
	X int `k:"v@@1"`
}

type second = struct {
	X int `k:"v@@2"`
}

type third = struct {
	X int `k:"v@1"`
}

//go:noinline
func tag[T any](x T) reflect.StructTag { return reflect.TypeOf(x).Field(0).Tag }

type box[T any] struct{ x T }

func (b box[T]) Tag() reflect.StructTag { return reflect.TypeFor[T]().Field(0).Tag }

type tagger interface{ Tag() reflect.StructTag }

func main() {
	fmt.Println(tag(first{}), tag(second{}), tag(third{}))
	for _, t := range []tagger{box[first]{}, box[second]{}, box[third]{}} {
		fmt.Println(t.Tag())
	}
	fmt.Println(any(first{}) == any(second{}), any(third{}) == any(third{}))
	switch any(second{}).(type) {
	case first:
		fmt.Println("first")
	case second:
		fmt.Println("second")
	}
	fmt.Printf("%T %T\n", first{}, box[second]{})
}
