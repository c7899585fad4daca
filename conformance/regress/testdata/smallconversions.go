// A small function returns a converted string or a sum of strings: where the value does not go further, there is a
// buffer for it in the caller's frame.
package main

import (
	"bytes"
	"fmt"
	"testing"
)

type header struct{ method []byte }

func (h *header) get() []byte {
	if len(h.method) == 0 {
		return []byte("GET")
	}
	return h.method
}

func (h *header) isGet() bool { return string(h.get()) == "GET" }

func text(b []byte) string { return string(b) }

func key(a, b string) string { return a + "/" + b }

func keyOf(a, b []byte) string { return key(text(a), text(b)) }

func bytesOf(s string) []byte { return []byte(s) }

func letter(n int) string { return string(rune('a' + n)) }

var (
	dst    = make([]byte, 0, 100)
	a, b   = []byte("one"), []byte("two")
	m      = map[string]int{"one/two": 12, "one": 1, "c": 3}
	sum    int
	global string
)

// What is kept must not be in a frame, also if each turn makes another.
func kept() (list []string, last string) {
	for i := range 4 {
		s := key(letter(i), "x")
		if i%2 == 0 {
			list = append(list, s)
		}
		last = s + last
	}
	global = text(a)
	return
}

// Two values of one place, both alive.
func previous(words [][]byte) (n int) {
	last := "?"
	for _, w := range words {
		s := text(w)
		if s < last {
			n++
		}
		last = s
	}
	return n
}

//go:noinline
func overwrite(n int) int {
	var x [64]int
	for i := range x {
		x[i] = n
	}
	return x[n&63]
}

func main() {
	allocs := func(name string, f func()) { fmt.Println(name, testing.AllocsPerRun(50, f)) }
	h := &header{}
	allocs("compared", func() {
		if !h.isGet() {
			panic("not GET")
		}
	})
	allocs("appended", func() { dst = append(dst[:0], h.get()...) })
	allocs("looked up", func() { sum += m[key("one", "two")] })
	allocs("letter", func() { sum += m[letter(2)] })
	allocs("changed", func() {
		c := bytesOf("one")
		c[0]++
		sum += int(c[0])
	})
	allocs("kept", func() { global = text(a) })
	allocs("previous", func() { sum += previous([][]byte{b, a, b}) })
	long := bytes.Repeat([]byte("long"), 20)
	allocs("long", func() { sum += len(key(text(long), "x")) })
	var buf bytes.Buffer
	buf.WriteString("one")
	allocs("buffer", func() { sum += m[buf.String()] })

	fmt.Println(string(dst), sum, m[keyOf(a, b)])
	list, last := kept()
	overwrite(7)
	fmt.Println(list, last, global, previous([][]byte{b, a, b, a, a}))
	x, y := text(a), text(b)
	a[0] = 'O'
	overwrite(9)
	fmt.Println(x, y, key(x, ""), key("", y) == "/two")
}
