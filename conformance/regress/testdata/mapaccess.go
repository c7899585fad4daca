// Looking for keys of one word, of half a word and for strings, in maps of all sizes, against
// a list: keys that are there, that are not, that have been, and those that differ in length or
// in one byte.
package main

import "fmt"

type state uint32

func (s *state) next(n int) int {
	*s = *s*1664525 + 1013904223
	return int(uint64(*s) * uint64(n) >> 32)
}

// texts are strings of all lengths up to 40, many of which differ in one byte only.
func texts(n int) []string {
	var r state = 7
	seen := map[string]bool{}
	var list []string
	for len(list) < n {
		b := make([]byte, r.next(41))
		for i := range b {
			b[i] = 'a'
		}
		for range 2 {
			if len(b) > 0 {
				b[r.next(len(b))] += byte(r.next(26))
			}
		}
		if s := string(b); !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

func words[T ~int | ~uint32 | ~*byte](n int, of func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

// check fills a map with the first half of the keys, takes every third out again, and looks for all.
func check[K comparable](name string, keys []K) {
	m := map[K]int{}
	half := len(keys) / 2
	for i, k := range keys[:half] {
		m[k] = i + 1
	}
	for i := 0; i < half; i += 3 {
		delete(m, keys[i])
	}
	sum := 0
	for i, k := range keys {
		want := 0
		if i < half && i%3 != 0 {
			want = i + 1
		}
		v, ok := m[k]
		if v != want || ok != (want != 0) || m[k] != want {
			fmt.Println(name, half, "key", i, "has", v, ok, m[k], "not", want)
		}
		sum += v
	}
	fmt.Println(name, half, len(m), sum)
}

var bytes [4000]byte

func main() {
	for _, n := range []int{0, 2, 4, 8, 14, 16, 18, 40, 300, 4000} {
		check("string", texts(n))
		check("int", words(n, func(i int) int { return i * 0x9e3779b9 }))
		check("uint32", words(n, func(i int) uint32 { return uint32(i) * 0x01000193 }))
		check("pointer", words(n, func(i int) *byte { return &bytes[i] }))
	}
	var none map[string]int
	v, ok := none["x"]
	fmt.Println(v, ok, none[""], map[int]string(nil)[1])
}
