// A function that a module pulls by go:linkname keeps what its arguments point to, though the module says noescape. The string
// that a map's key was made of lay in a frame.
package main

import (
	"fmt"
	"reflect"
	"unsafe"
)

//go:linkname mapassign reflect.mapassign
//go:noescape
func mapassign(t, m, key, elem unsafe.Pointer)

type words struct{ typ, data unsafe.Pointer }

func dataOf(v any) unsafe.Pointer { return (*words)(unsafe.Pointer(&v)).data }

// name is too much for gc to inline.
func name(kinds []string, k int, more func(int) string) string {
	if kinds[k] == "reference" {
		k = len(more(k))
	}
	if m := more(-k); m == "none" || m == kinds[0] {
		return more(k + 1)
	}
	s := kinds[k]
	if m := more(k); m != "" {
		s += "." + m
	}
	return s
}

//go:noinline
func set(m map[string]int, kinds []string, more func(int) string) {
	t := reflect.TypeOf(m)
	key, n := name(kinds, 1, more), 42
	mapassign(dataOf(t), *(*unsafe.Pointer)(unsafe.Pointer(&m)), dataOf(key), unsafe.Pointer(&n))
}

//go:noinline
func overwrite(n int) int {
	var frame [20]int
	for i := range frame {
		frame[i] = n
	}
	if n > 0 {
		return overwrite(n-1) + frame[n]
	}
	return 0
}

func main() {
	m := map[string]int{}
	set(m, []string{"int", "long"}, func(k int) string { return []string{"", "timestamp-micros"}[max(k, 0)] })
	overwrite(7)
	fmt.Println(m, m["long.timestamp-micros"])
}
