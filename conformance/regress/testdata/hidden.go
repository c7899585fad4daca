package main

import (
	"fmt"
	"strconv"
	"unsafe"
)

// Modules hide pointers from escape analysis, and rely on where gc puts what a function that it
// does not inline has made and returned: on the heap.

//go:nosplit
func noescape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return unsafe.Pointer(x ^ 0)
}

type words struct {
	negative *bool
	inline   [2]uint
}

func (w *words) bits() []uint {
	return (*[2]uint)(noescape(unsafe.Pointer(&w.inline[0])))[:]
}

func (w *words) set(s string) error {
	for i := range w.inline {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return fmt.Errorf("word %d: %w", i, err)
		}
		w.inline[i] = uint(n) + uint(i)
	}
	return nil
}

// parse is too large to be inlined by gc.
func parse(s string) *words {
	var w words
	if err := w.set(s); err != nil {
		panic(fmt.Sprint("words of ", strconv.Quote(s), ": ", err))
	}
	return &w
}

//go:linkname pulled runtime.noescape
//go:noescape
func pulled(p unsafe.Pointer) unsafe.Pointer

//go:noinline
func pulledBits(s string) []uint {
	w := parse(s)
	return (*[2]uint)(pulled(unsafe.Pointer(&w.inline)))[:]
}

type holder struct{ list []uint }

// keep hides the pointer once more.
func (h *holder) keep(w *words) {
	h.list = w.bits()
}

//go:noinline
func bitsOf(s string) []uint { return parse(s).bits() }

//go:noinline
func held(s string) (h holder) {
	h.keep(parse(s))
	return h
}

//go:noinline
func deep(s string) []uint { return through(parse(s)) }

func through(w *words) []uint {
	list := [1]*words{w}
	return list[0].bits()
}

// overwrite uses the memory of frames that have ended.
//
//go:noinline
func overwrite(n int) int {
	var a [64]int
	for i := range a {
		a[i] = n - i
	}
	if n > 0 {
		return overwrite(n-1) + a[n%64]
	}
	return a[1]
}

func main() {
	for _, s := range []string{"7", "123"} {
		a, b, c, d := bitsOf(s), held(s), deep(s), pulledBits(s)
		overwrite(20)
		fmt.Println(a, b.list, c, d)
	}
}
