// A method value of a nil interface panics as a nil pointer does, also where the interface embeds the one that
// declares the method, or is a type parameter's; an assertion before it keeps its own message.
package main

import "fmt"

type I0 interface{ M() int }
type I1 interface {
	I0
	N()
}
type S struct{ I1 }

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func generic[T I0](x T) {
	f := x.M
	fmt.Println("bound", f != nil)
}

func main() {
	var i I1
	var s S
	try(func() { f := i.M; fmt.Println("bound"); f() })
	try(func() { f := s.M; fmt.Println("bound"); f() })
	try(func() { f := s.N; fmt.Println("bound"); f() })
	try(func() { s.M() })
	try(func() { _ = i.(I0); f := i.M; f() })
	try(func() { _ = i.(I1); f := i.N; f() })
	try(func() { generic[I0](nil) })
	try(func() { generic[I1](nil) })
}
