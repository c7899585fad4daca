package main

import (
	"fmt"
	"runtime"
)

type G[T any] struct{ x T }

func (g *G[T]) M() {
	pc, _, _, _ := runtime.Caller(0)
	fmt.Println(runtime.FuncForPC(pc).Name())
	func() { pc, _, _, _ := runtime.Caller(0); fmt.Println(runtime.FuncForPC(pc).Name()) }()
}
func F[T any](x T) {
	pc, _, _, _ := runtime.Caller(0)
	fmt.Println(runtime.FuncForPC(pc).Name())
	func() { pc, _, _, _ := runtime.Caller(0); fmt.Println(runtime.FuncForPC(pc).Name()) }()
}

type V struct{}

func (V) N() { pc, _, _, _ := runtime.Caller(0); fmt.Println(runtime.FuncForPC(pc).Name()) }

var f = func() { pc, _, _, _ := runtime.Caller(0); fmt.Println(runtime.FuncForPC(pc).Name()) }

func init() { pc, _, _, _ := runtime.Caller(0); fmt.Println(runtime.FuncForPC(pc).Name()) }
func main() {
	(&G[int]{}).M()
	F("x")
	V{}.N()
	(&V{}).N()
	f()
	g := V{}.N
	g()
	defer func() { func() { pc, _, _, _ := runtime.Caller(0); fmt.Println(runtime.FuncForPC(pc).Name()) }() }()
}
