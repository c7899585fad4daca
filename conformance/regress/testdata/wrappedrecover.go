// A method that is inlined into its wrapper is there all the same: for recover in what it calls, and
// in stacks.
package main

import (
	"fmt"
	"runtime"
)

func recovering() {
	if err := recover(); err != nil {
		fmt.Println("recovered by what a method calls:", err)
	}
}

//go:noinline
func caller() string {
	pcs := make([]uintptr, 4)
	f, _ := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)]).Next()
	return fmt.Sprint(f.Function, ":", f.Line)
}

type T int

func (*T) calls()       { recovering() }
func (*T) from() string { return caller() }

type near struct{ *T }

type far struct {
	pad int
	*T
}

// Variables, so that the wrappers are called.
var (
	nearCalls, nearFrom = near.calls, near.from
	farCalls, farFrom   = far.calls, far.from
)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	defer f()
	panic("first")
}

func main() {
	t := new(T)
	try(func() { defer nearCalls(near{t}); panic("second") })
	try(func() { defer farCalls(far{1, t}); panic("third") })
	var calls interface{ calls() } = far{1, t}
	try(func() { defer calls.calls(); panic("fourth") })
	fmt.Println(nearFrom(near{t}), farFrom(far{1, t}))
}
