// Types with tags are type arguments, whatever a tag has in it, of functions that recover, have
// functions in them, and are wrapped. Tags that differ make types that differ.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type box[T any] struct{ v T }

func (b *box[T]) guarded(f func() T) (said string) {
	defer func() {
		if e := recover(); e != nil {
			said = fmt.Sprint("recovered ", e)
		}
	}()
	b.v = f()
	return fmt.Sprintf("%T", b.v)
}

func (b box[T]) shown() string { return fmt.Sprintf("%T", b.v) }

func converted[T any](x any) (said string) {
	func() {
		defer func() { said = fmt.Sprint(recover()) }()
		said = fmt.Sprintf("%T", x.(T))
	}()
	return said
}

func ranged[T any](list []T) (n int) {
	each := func(yield func(T) bool) {
		for _, v := range list {
			if !yield(v) {
				return
			}
		}
	}
	for range each {
		defer func() { n++ }()
	}
	return n
}

func named[T any](T) string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	return name[strings.LastIndexByte(name, '/')+1:]
}

type shower interface{ shown() string }

func all[T any]() {
	var b box[T]
	fmt.Println(b.guarded(func() T { panic("no") }))
	fmt.Println(b.guarded(func() T { return b.v }))
	fmt.Println(converted[T](b.v))
	fmt.Println(converted[T](1))
	fmt.Println(ranged(make([]T, 3)))
	fmt.Println(named(b.v))
	var s shower = &b
	method := s.shown
	fmt.Println(s.shown(), method())
}

func main() {
	all[struct {
		A string `json:"a"`
	}]()
	all[struct {
		A string `( "a"* )`
	}]()
	all[struct {
		A string `\`
	}]()
	all[struct {
		A string `\\`
	}]()
	all[struct {
		A string "\n"
	}]()
	all[struct {
		A string `\n`
	}]()
	all[struct {
		A string "^"
	}]()
	all[struct {
		A string "^5"
	}]()
	all[struct {
		A string `"`
	}]()
	all[struct {
		A string `\"`
	}]()
	all[struct {
		A string "tab\t $ ${1} $$ %d %s \x00 \xff ü 世 '`"
	}]()
	all[struct {
		A []struct {
			B int `x:"y\"z"`
		} `a:"b"`
	}]()
	kinds := []any{
		box[struct {
			A string `^`
		}]{},
		box[struct {
			A string `\`
		}]{},
		box[struct {
			A string `^5`
		}]{},
		box[struct {
			A string `\"`
		}]{},
		box[struct {
			A string `^"`
		}]{},
	}
	for i, a := range kinds {
		for _, b := range kinds[i+1:] {
			fmt.Println(fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b), a == b)
		}
	}
}
