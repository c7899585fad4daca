// A value's method called through an interface that is known to hold a nil pointer fails where it
// is called, in literals and generic functions too.
package main

import "fmt"

type pair struct{ a, b int }

func (p pair) get(n int) int { return p.a + n }

func (p *pair) set(n int) int { return n }

type getter interface{ get(int) int }

type setter interface{ set(int) int }

//go:noinline
func none() *pair { return nil }

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func generic[T any](x T) T {
	var g getter = none()
	fmt.Println(g.get(1))
	return x
}

func main() {
	var g getter = none()
	var h setter = none()
	var unknown getter = none()
	if none() == nil {
		unknown = pair{}
	}
	var empty getter
	try(func() { fmt.Println(g.get(1)) })
	try(func() { fmt.Println(h.set(1)) })
	try(func() { fmt.Println(unknown.get(1)) })
	try(func() { fmt.Println(empty.get(1)) })
	try(func() { defer func() { g.get(1) }() })
	try(func() { func() { fmt.Println(g.get(2)) }() })
	try(func() { generic(1) })
	try(func() { f := g.get; fmt.Println(f(1)) })
	try(func() {
		var local getter = none()
		fmt.Println(local.get(1))
	})
	try(func() {
		var nothing getter = nil
		fmt.Println(nothing.get(1))
	})
}
