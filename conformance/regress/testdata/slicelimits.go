// Upper bounds of slices that the length decides as the capacity would: which panic, and how.
package main

import "fmt"

//go:noinline
func pop(s []int) (int, []int) {
	v := s[len(s)-1]
	s = s[:len(s)-1]
	return v, s
}

//go:noinline
func drop(s []int, from int) []int { return s[from : len(s)-2] }

//go:noinline
func behind(s []int, i int) ([]int, int) {
	v := s[i]
	return s[:i], v
}

//go:noinline
func narrow(s []int, i int8) []int {
	s[i]++
	return s[:i]
}

//go:noinline
func below(s []int, i int) []int {
	if i < len(s) {
		return s[:i]
	}
	return s[:i:i]
}

//go:noinline
func above(s []int, i int) []int {
	if len(s) > i {
		s = s[:i]
	}
	return s[:i]
}

//go:noinline
func other(s, t []int, i int) []int {
	if i < len(t) {
		return s[:i]
	}
	return t[:i]
}

//go:noinline
func either(s []int, i int, b bool) []int {
	if b {
		s[i] = 1
	}
	return s[:i]
}

//go:noinline
func prefixes(s []int) (n int) {
	for i := range s {
		n += len(s[:i]) + cap(s[:i])
	}
	return n
}

//go:noinline
func wide(s []int, i uint64) []int { return s[:uint64(len(s))-i] }

func try(name string, f func() []int) {
	defer func() {
		if err := recover(); err != nil {
			fmt.Println(name, err)
		}
	}()
	s := f()
	fmt.Println(name, s, cap(s))
}

func main() {
	backing := []int{1, 2, 3, 4, 5, 6}
	for n := range 5 {
		s := backing[:n:5]
		try("pop", func() []int { _, s := pop(s); return s })
		for i := -3; i < 8; i++ {
			at := fmt.Sprint(n, " ", i, " ")
			try(at+"drop", func() []int { return drop(s, i) })
			try(at+"behind", func() []int { s, _ := behind(s, i); return s })
			try(at+"narrow", func() []int { return narrow(s, int8(i)) })
			try(at+"below", func() []int { return below(s, i) })
			try(at+"above", func() []int { return above(s, i) })
			try(at+"other", func() []int { return other(s, backing, i) })
			try(at+"either", func() []int { return either(s, i, i&1 == 0) })
			try(at+"wide", func() []int { return wide(s, uint64(i)) })
		}
		fmt.Println(prefixes(s))
	}
}
