package main

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// What GODEBUG=checkfinalizers=1 is to find, by the argument.

type pointer *int
type tiny uint8

type node struct{ next *node }

var sink *tiny

func main() {
	switch os.Args[1] {
	case "cleanup":
		// Recursion hides the capture from AddCleanup's own check.
		p := new(pointer)
		var over func(int)
		over = func(x int) {
			if x <= 0 {
				**p = x
			} else {
				over(x - 1)
			}
		}
		runtime.AddCleanup(p, func(x int) { over(x) }, 0)
	case "finalizer":
		p := new(pointer)
		runtime.SetFinalizer(p, func(*pointer) { **p = 12 })
	case "cycle":
		n := &node{new(node)}
		n.next.next = n
		runtime.SetFinalizer(n, func(*node) {})
	case "both":
		n := &node{new(node)}
		n.next.next = n
		runtime.SetFinalizer(n, func(*node) {})
		runtime.AddCleanup(n, func(m **node) { *m = nil }, &n.next.next)
	case "tiny":
		var p *tiny
		for {
			sink = p
			p = new(tiny)
			if uintptr(unsafe.Pointer(p))%2 != 0 {
				break
			}
		}
		runtime.AddCleanup(p, func(struct{}) {}, struct{}{})
	case "none":
		a := new(pointer)
		runtime.AddCleanup(a, func(int) {}, 0)
		var over func(int)
		over = func(x int) {
			if x <= 0 {
				**a = x
			} else {
				over(x - 1)
			}
		}
		runtime.AddCleanup(a, func(x int) { over(x) }, 0).Stop()
		runtime.SetFinalizer(new(pointer), func(*pointer) {})
		self := new(node)
		self.next = self
		runtime.SetFinalizer(self, func(*node) {})
		alone := new([16]byte)
		runtime.AddCleanup(&alone[0], func(int) {}, 0)
		runtime.KeepAlive(a)
	}
	runtime.GC()
	fmt.Println("OK")
}
