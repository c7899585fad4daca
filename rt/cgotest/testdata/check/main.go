// The rules for pointers that go to C, and Pinner.
package main

/*
typedef struct { void *p; int n; } holder;
static int take(void *p) { return p != 0; }
static int takeHolder(holder *h) { return h->n; }
extern void *giveBack(int);
static int callGive(int n) { return giveBack(n) != 0; }
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

type gohold struct {
	p *int
	n int
}

//export giveBack
func giveBack(n C.int) unsafe.Pointer {
	if n == 0 {
		return nil
	}
	return unsafe.Pointer(new(int))
}

func try(what string, f func() C.int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(what, r)
		}
	}()
	fmt.Println(what, f())
}

var global = &gohold{p: new(int), n: 1}

func main() {
	h := &gohold{p: new(int)}
	try("plain", func() C.int { return C.take(unsafe.Pointer(new(int))) })
	try("nested", func() C.int { return C.take(unsafe.Pointer(h)) })
	try("field", func() C.int { return C.take(unsafe.Pointer(&h.n)) })
	s := []*int{nil, new(int)}
	try("slice", func() C.int { return C.take(unsafe.Pointer(&s[0])) })
	n := []int{1, 2}
	try("numbers", func() C.int { return C.take(unsafe.Pointer(&n[0])) })
	ch := &C.holder{p: nil, n: 4}
	try("holder", func() C.int { return C.takeHolder(ch) })
	ch.p = unsafe.Pointer(new(int))
	try("holder with pointer", func() C.int { return C.takeHolder(ch) })
	var pin runtime.Pinner
	pin.Pin(ch.p)
	try("pinned", func() C.int { return C.takeHolder(ch) })
	pin.Unpin()
	try("unpinned", func() C.int { return C.takeHolder(ch) })
	try("nil back", func() C.int { return C.callGive(0) })
	try("pointer back", func() C.int { return C.callGive(1) })
}
