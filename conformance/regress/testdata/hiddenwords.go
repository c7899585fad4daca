// Pointers to what is in a frame are taken for numbers and kept as such: what they lead to stays as
// long as the function runs.
package main

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"
)

type caller interface{ call(n int) int }
type function func(n int) int

func (f function) call(n int) int { return f(n) }

type point struct{ x, y *int }

type words struct{ first, second uint64 }

//go:noinline
func put(v any, buf []byte) {
	w := *(*[2]uint64)(unsafe.Pointer(&v))
	binary.LittleEndian.PutUint64(buf, w[0])
	binary.LittleEndian.PutUint64(buf[8:], w[1])
}

//go:noinline
func get(buf []byte) any {
	w := [2]uint64{binary.LittleEndian.Uint64(buf), binary.LittleEndian.Uint64(buf[8:])}
	return *(*any)(unsafe.Pointer(&w))
}

//go:noinline
func putPointer(p *point, to *words) { to.first = *(*uint64)(unsafe.Pointer(&p)) }

//go:noinline
func putSlice(s []*int, to *words) {
	w := (*words)(unsafe.Pointer(&s))
	*to = words{w.first, w.second}
}

//go:noinline
func putLater(s []*int, to *words) { putSlice(s[1:], to) }

func getPointer(from *words) *point { return *(**point)(unsafe.Pointer(&from.first)) }

func getSlice(from *words) []*int {
	s := struct {
		words
		cap uint64
	}{*from, from.second}
	return *(*[]*int)(unsafe.Pointer(&s))
}

var wake = make(chan int)

// Wait in ways that clear what is dead.
var waits = []func(){
	func() {},
	runtime.GC,
	func() {
		go func() { wake <- 1 }()
		<-wake
	},
}

//go:noinline
func asInterface(wait func()) int {
	buf := make([]byte, 16)
	sum := 1
	var c caller = function(func(n int) int { sum += n; return sum })
	put(c, buf)
	wait()
	runtime.Gosched()
	got := get(buf).(caller)
	return got.call(2) + got.call(3)
}

//go:noinline
func asPointer(wait func()) int {
	var w words
	a, b := 1, 2
	putPointer(&point{&a, &b}, &w)
	wait()
	runtime.Gosched()
	p := getPointer(&w)
	return *p.x + 10**p.y
}

//go:noinline
func asSlice(wait func()) int {
	var w words
	a, b, c := 1, 2, 3
	putLater([]*int{&a, &b, &c}, &w)
	wait()
	runtime.Gosched()
	s := getSlice(&w)
	return len(s)*100 + *s[0]*10 + *s[1]
}

//go:noinline
func here(wait func()) int {
	a, b := 3, 4
	p := &point{&a, &b}
	n := *(*uint64)(unsafe.Pointer(&p))
	wait()
	runtime.Gosched()
	p = *(**point)(unsafe.Pointer(&n))
	return *p.x + 10**p.y
}

//go:noinline
func collects() int {
	var w words
	a, b := 5, 6
	putPointer(&point{&a, &b}, &w)
	runtime.GC()
	p := getPointer(&w)
	runtime.GC()
	return *p.x + 10**p.y
}

//go:noinline
func receives() int {
	var w words
	a, b := 5, 6
	putPointer(&point{&a, &b}, &w)
	go func() { wake <- 1 }()
	<-wake
	p := getPointer(&w)
	return *p.x + 10**p.y
}

func main() {
	for i, wait := range waits {
		fmt.Println(i, asInterface(wait), asPointer(wait), asSlice(wait), here(wait))
	}
	fmt.Println(collects(), receives())
}
