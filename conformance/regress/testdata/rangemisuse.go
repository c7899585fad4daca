// Iterators that call a loop's body when they may not, and method values of nil interfaces: the words are gc's.
package main

import "fmt"

type I interface{ M(int) int }

func try(name string, f func()) {
	defer func() {
		r := recover()
		_, isError := r.(error)
		fmt.Println(name, r, isError)
	}()
	f()
}

func two(yield func(int) bool) { yield(1); yield(2) }

func recovers(yield func(int) bool) {
	defer func() { fmt.Println("iterator recovered", recover()) }()
	yield(1)
}

func again(yield func(int) bool) {
	defer func() {
		fmt.Println("again", recover())
		yield(2)
	}()
	yield(1)
}

func inner(out *func(int) bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		*out = yield
		if yield(1) {
			yield(2)
		}
	}
}

//go:noinline
func returns(seq func(func(int) bool)) int {
	for i := range seq {
		for j := range seq {
			if j == 1 {
				return i + j
			}
		}
	}
	return 0
}

func main() {
	try("break", func() {
		for i := range two {
			if i == 1 {
				break
			}
		}
	})
	try("return", func() { fmt.Println(returns(two)) })
	try("outer", func() {
	L:
		for range two {
			for range two {
				continue L
			}
		}
	})
	try("recovered", func() {
		for i := range recovers {
			panic(i)
		}
	})
	try("again", func() {
		for i := range again {
			panic(i)
		}
	})
	var y func(int) bool
	try("exhausted", func() {
		for range inner(&y) {
		}
		y(3)
	})
	try("exhausted after break", func() {
		for range inner(&y) {
			break
		}
		y(3)
	})
	try("nested", func() {
		for range inner(&y) {
			y(3)
		}
	})
	try("own words", func() {
		for range inner(&y) {
			panic("yield function called after range loop exit")
		}
	})
	try("method value", func() { var i I; fmt.Println(i.M != nil) })
	try("assertion", func() { var i I; fmt.Println(i.(I)) })
	try("variable", func() {
		for _, i := range []I{nil} {
			f := i.M
			fmt.Println(f(1))
		}
	})
}
