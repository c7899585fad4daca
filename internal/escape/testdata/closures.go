package p

import (
	"sync/atomic"
	"unsafe"
)

var gp *int
var gf func()

func apply(f func(*int)) { // flow -
	x := 1 // heap
	f(&x)
}

func call(f func() *int) *int { return f() } // flow -

func keepFunc(f func()) { gf = f } // flow heap:0

func stays() int {
	s := 0                          // stack
	apply(func(p *int) { s += *p }) // stack
	return s
}

func leaksCaptured() {
	x := 1                       // heap
	y := 2                       // stack
	f := func() { gp = &x; y++ } // stack
	f()
}

func returnsCaptured() *int {
	x := 1                                 // heap
	return call(func() *int { return &x }) // stack
}

// What a closure returns of its captured variables escapes where the closure is made, unless
// all its calls are in sight.
func usesCaptured() int {
	x := 1                                  // heap
	return *call(func() *int { return &x }) // stack
}

func kept() {
	x := 1                   // heap
	keepFunc(func() { x++ }) // heap
}

func direct() *int {
	x := 1                                       // heap
	y := 1                                       // stack
	f := func(p *int) *int { *p = y; return &x } // stack
	return f(&y)
}

type T struct{ n int }

func (t *T) M() { t.n++ }    // flow -
func (t *T) K() { gf = t.M } // flow heap:0

func methodValue() {
	t := &T{} // stack
	f := t.M  // stack
	f()
}

func methodValueKept() {
	t := &T{}     // heap
	keepFunc(t.M) // heap
}

func atomics() int32 {
	var n int32 // stack
	atomic.AddInt32(&n, 1)
	return atomic.LoadInt32(&n)
}

func atomicPointer(p *unsafe.Pointer, x *int) { // flow -; heap:0
	atomic.StorePointer(p, unsafe.Pointer(x))
}

func loadPointer(p *unsafe.Pointer) unsafe.Pointer { // flow r0:1
	return atomic.LoadPointer(p)
}

func arithmetic(p unsafe.Pointer, n uintptr) *int { // flow r0:0; -
	return (*int)(unsafe.Pointer(uintptr(p) + n*8))
}

func hidden(p unsafe.Pointer) unsafe.Pointer { // flow hidden:0
	x := uintptr(p)
	return unsafe.Pointer(x ^ 0)
}

func add(p *byte, n int) *byte { // flow r0:0; -
	return (*byte)(unsafe.Add(unsafe.Pointer(p), n))
}

func toSlice(p *byte, n int) []byte { return unsafe.Slice(p, n) } // flow r0:0; -

func number(p *int) uintptr { return uintptr(unsafe.Pointer(p)) } // flow -

//go:noescape
func asm(p *int)

func asm2(p *int)

func callAsm() {
	x := 1 // stack
	y := 2 // heap
	asm(&x)
	asm2(&y)
}

func iterate(yield func(int) bool) { // flow -
	for i := range 10 {
		if !yield(i) {
			return
		}
	}
}

func rangeFunc() int {
	s := 0 // stack
	for i := range iterate {
		s += i
	}
	return s
}

func rangeFuncDefer() {
	for i := range iterate {
		defer func() { _ = i }() // heap
	}
}

type L[E any] struct{ head *E }

func (l *L[E]) put(e *E)    { l.head = e }
func (l *L[E]) get() *E     { return l.head }
func first[E any](s []E) *E { return &s[0] }

func generic() int {
	x := 1       // heap
	var l L[int] // stack
	l.put(&x)
	return *l.get() + *first([]int{1, 2}) // stack
}

func genericEscapes() *int {
	return first([]int{1, 2}) // heap
}

func deferred(f func()) { // flow -
	defer f()
}

func deferredLoop(f func()) { // flow heap:0
	for {
		defer f()
	}
}

// Captured variables that are set once are copied.
func copied(n int, p *int) func() int { // flow -; heap:0 | makes 24: -; r0:0, holds 1:0
	m := n + 1                          // stack
	return func() int { return m + *p } // heap
}

func notCopied(n int) func() int {
	m := n + 1                   // heap
	f := func() int { return m } // heap
	m++
	return f
}

func setLater() func() int {
	var m int                    // heap
	f := func() int { return m } // heap
	m = 3
	return f
}

func setInLoop(n int) (fs []func() int) {
	var m int // heap
	for i := range n {
		m = i
		fs = append(fs, func() int { return m }) // heap
	}
	return fs
}

func setEachTurn(n int) (fs []func() int) {
	for i := range n {
		m := i                                   // stack
		fs = append(fs, func() int { return m }) // heap
	}
	return fs
}

func copiedTwice(n int) func() func() int {
	m := n                     // stack
	return func() func() int { // heap
		return func() int { return m } // heap
	}
}

func copiedAndSet(n int) func() func() {
	m := n                 // heap
	return func() func() { // heap
		return func() { m++ } // heap
	}
}

func copiedPointer() func() *int {
	x := 1                          // heap
	p := &x                         // stack
	return func() *int { return p } // heap
}

func copiedPointerStays() *int {
	x := 1                                // heap
	p := &x                               // stack
	return call(func() *int { return p }) // stack
}

func spawn(c chan int, n int) { // flow heap:0; -
	go func() { c <- n }() // heap
}

func partly(t T) func() int {
	u := t                           // stack
	return func() int { return u.n } // heap
}

func large(a [17]int) func() int {
	u := a                            // heap
	return func() int { return u[1] } // heap
}

func calledHere() int {
	x := 1                         // stack
	f := func() *int { return &x } // stack
	return *f() + *f()
}

var kept2 []byte

func appends(f func([]byte) []byte) { kept2 = f(kept2) } // flow -

func printsTo(format string, args ...*int) { // flow -; -
	appends(func(b []byte) []byte { // stack
		for _, a := range args {
			b = append(b, byte(*a))
		}
		return append(b, format...)
	})
}
