// What is dead in a frame that lives on is freed: each pattern makes an object of a few megabytes,
// uses it in one way, is done with it, and collects in the same frame.
package main

import (
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sort"
	"strings"
)

const size = 4 << 20

type node struct {
	data []byte
	next *node
}

type reader interface{ read() int }

type blob struct{ data []byte }

func (b *blob) read() int { return len(b.data) }
func (b blob) val() int   { return len(b.data) }

var sink int
var keepAny any

//go:noinline
func big() []byte { return make([]byte, size) }

//go:noinline
func bigMap() map[int][]byte {
	m := map[int][]byte{}
	for i := range 64 {
		m[i] = make([]byte, size/64)
	}
	return m
}

//go:noinline
func bigString() string { return strings.Repeat("x", size) }

//go:noinline
func list() *node {
	var n *node
	for range 64 {
		n = &node{make([]byte, size/64), n}
	}
	return n
}

//go:noinline
func two() ([]byte, error) { return big(), nil }

//go:noinline
func three() (int, []byte, string) { return 1, big(), "s" }

//go:noinline
func structOf() struct {
	a int
	b []byte
	c [4]int
} {
	return struct {
		a int
		b []byte
		c [4]int
	}{b: big()}
}

//go:noinline
func use(b []byte) int { return len(b) + int(b[len(b)/2]) }

//go:noinline
func call(f func() int) int { return f() }

//go:noinline
func variadic(list ...[]byte) int { return len(list) }

//go:noinline
func anys(list ...any) int { return len(list) }

func id[T any](x T) T { return x }

func seq(b []byte) func(func(int, byte) bool) {
	return func(yield func(int, byte) bool) {
		for i := 0; i < len(b); i += 1 << 20 {
			if !yield(i, b[i]) {
				return
			}
		}
	}
}

//go:noinline
func collect() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc >> 20
}

var base uint64

// freed reports what is left above what there was before.
//
//go:noinline
func freed(name string) {
	for range 2 {
		collect()
	}
	left := collect()
	fmt.Println(name, left < base+2)
}

func main() {
	base = collect()
	for _, f := range patterns {
		f()
	}
}

var patterns = []func(){
	func() {
		m := bigMap()
		for _, r := range m {
			sink += len(r)
		}
		m = nil
		freed("map ranged")
	},
	func() {
		m := bigMap()
		for k := range m {
			sink += k
			if sink > 1<<40 {
				return
			}
		}
		freed("map ranged by key, dead")
	},
	func() {
		m := bigMap()
		for _, r := range m {
			sink += len(r)
			break
		}
		freed("map ranged, left by break")
	},
	func() {
		m := map[int][]byte{}
		for i := range 64 {
			m[i] = make([]byte, size/64)
		}
		sink += len(m)
		m = nil
		freed("map made here")
	},
	func() {
		m := bigMap()
		clear(m)
		freed("map cleared")
		sink += len(m)
	},
	func() {
		m := bigMap()
		r := m[3]
		sink += use(r)
		freed("map looked up")
	},
	func() {
		m := bigMap()
		if r, ok := m[3]; ok {
			sink += use(r)
		}
		delete(m, 3)
		freed("map comma ok")
	},
	func() {
		s := big()
		sink += use(s)
		freed("slice of which len is used later")
		sink += len(s)
	},
	func() {
		s := big()
		for i, b := range s {
			sink += i & int(b)
		}
		freed("slice ranged")
	},
	func() {
		s := big()
		n := len(s)
		s = nil
		freed("slice nil")
		sink += n
	},
	func() {
		s := bigString()
		for i, r := range s {
			sink += i & int(r)
		}
		freed("string ranged")
	},
	func() {
		s := bigString()
		sink += strings.Count(s, "y")
		freed("string of which len is used later")
		sink += len(s)
	},
	func() {
		s := big()
		f := func() int { return use(s) }
		sink += call(f)
		freed("captured by a closure")
	},
	func() {
		s := big()
		f := func() int { s = append(s, 1); return use(s) }
		sink += call(f)
		s = nil
		freed("captured by reference")
		sink += len(s)
	},
	func() {
		var s []byte
		for range 4 {
			s = append(s, make([]byte, size/4)...)
		}
		sink += use(s)
		freed("appended")
	},
	func() {
		s := append(big(), big()...)
		sink += use(s)
		s = s[:0:0]
		freed("append of two")
		sink += cap(s)
	},
	func() {
		s := big()
		sort.Slice(s, func(i, j int) bool { return s[i] < s[j] && i < 0 })
		freed("sorted")
	},
	func() {
		s := big()
		slices.Sort(s)
		freed("slices.Sort")
	},
	func() {
		func() {
			s := big()
			defer func() { sink += use(s) }()
		}()
		freed("deferred call")
	},
	func() {
		s := big()
		defer func() { sink++ }()
		sink += use(s)
		freed("beside a deferred call")
	},
	func() {
		c := make(chan []byte, 1)
		c <- big()
		select {
		case s := <-c:
			sink += use(s)
		default:
		}
		freed("received by select")
		c <- nil
	},
	func() {
		c := make(chan []byte, 1)
		c <- big()
		s := <-c
		sink += use(s)
		freed("received")
		c <- nil
	},
	func() {
		c := make(chan []byte, 1)
		s := big()
		select {
		case c <- s:
		default:
		}
		<-c
		freed("sent by select")
		c <- nil
	},
	func() {
		s, err := two()
		sink += use(s)
		freed("one of two results")
		if err != nil {
			sink++
		}
	},
	func() {
		n, s, t := three()
		sink += use(s)
		freed("one of three results")
		sink += n + len(t)
	},
	func() {
		x := structOf()
		sink += use(x.b)
		freed("field of a struct result")
		sink += x.a + x.c[1]
	},
	func() {
		sink += variadic(big(), big())
		freed("variadic arguments")
	},
	func() {
		sink += anys(big(), &blob{big()}, blob{big()})
		freed("variadic arguments as interfaces")
	},
	func() {
		n := list()
		for ; n != nil; n = n.next {
			sink += use(n.data)
		}
		freed("list walked")
	},
	func() {
		n := list()
		for p := n; p != nil; p = p.next {
			sink += len(p.data)
		}
		n = nil
		freed("list walked by another variable")
	},
	func() {
		var r reader = &blob{big()}
		sink += r.read()
		freed("interface")
	},
	func() {
		b := blob{big()}
		f := b.val
		sink += call(f)
		freed("method value")
	},
	func() {
		var a any = big()
		switch x := a.(type) {
		case []byte:
			sink += use(x)
		case string:
			sink += len(x)
		}
		a = nil
		freed("type switch")
	},
	func() {
		s := id(big())
		sink += use(s)
		freed("generic")
	},
	func() {
		for i, b := range seq(big()) {
			sink += i & int(b)
		}
		freed("range over a function")
	},
	func() {
		m := bigMap()
		for _, k := range slices.Sorted(maps.Keys(m)) {
			sink += len(m[k])
		}
		freed("sorted keys")
	},
	func() {
		var buf bytes.Buffer
		buf.Write(big())
		sink += buf.Len()
		buf = bytes.Buffer{}
		freed("buffer")
		sink += buf.Len()
	},
	func() {
		var b strings.Builder
		b.WriteString(bigString())
		s := b.String()
		sink += len(s)
		b.Reset()
		freed("builder")
		sink += b.Len()
	},
	func() {
		b := big()
		s := string(b)
		sink += len(s) + use(b)
		freed("converted")
	},
	func() {
		s := []([]byte){big(), big()}
		for _, x := range s {
			sink += use(x)
		}
		freed("slice literal")
	},
	func() {
		a := [2][]byte{big(), big()}
		for _, x := range a {
			sink += use(x)
		}
		a = [2][]byte{}
		freed("array")
		sink += len(a[1])
	},
	func() {
		var p *blob
		if sink >= 0 {
			p = &blob{big()}
		}
		sink += use(p.data)
		p = nil
		freed("pointer in a branch")
	},
	func() {
		x := &blob{big()}
		y := &x
		sink += use((*y).data)
		*y = nil
		freed("pointer to a pointer")
		keepAny = y
	},
	func() {
		s := big()
		t := s[1024:2048]
		sink += int(t[3])
		freed("sliced")
	},
	func() {
		done := make(chan int)
		s := big()
		go func() { done <- use(s) }()
		sink += <-done
		freed("captured by a goroutine")
	},
	func() {
		func() {
			defer func() { recover() }()
			s := big()
			sink += use(s)
			panic(s)
		}()
		freed("panicked")
	},
}
