// A function that has recovered gives its caller the registers that it has to keep, whatever was in
// them when the panic began: in functions of many and of few variables, with results in registers
// and in memory, linked at the start and late.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

//go:noinline
func named(n int) (r int, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("recovered %v", e)
			r += n
		}
	}()
	r = 5
	return divided(n)
}

//go:noinline
func divided(n int) (int, error) {
	if n > 3 {
		panic(errors.New("big"))
	}
	x, y, z := n, n*n, n*n*n
	for i := range 10 {
		x, y, z = y+i, z-i, x
	}
	return (x + y + z) / n, nil
}

type table struct{ a [20]int }

//go:noinline
func large(n int) (t table, s string, m map[string]int) {
	defer func() { recover() }()
	t.a[3], s, m = n, strings.Repeat("s", n), map[string]int{"n": n}
	if n > 2 {
		var p *int
		*p = 3
	}
	return
}

//go:noinline
func few(n int) int {
	defer func() { recover() }()
	if n > 2 {
		panic(n)
	}
	return n
}

//go:noinline
func late(n int, list []int) (sum int) {
	if n == 0 {
		return -1
	}
	for i, x := range list {
		sum += i * x
	}
	defer func() {
		if recover() != nil {
			sum *= 2
		}
	}()
	return list[n]
}

// deep goes down far enough to leave the stack's segment.
func deep(n, a, b, c, d, e int) int {
	if n == 0 {
		panic("deep")
	}
	var pad [200]byte
	pad[n%200] = byte(a)
	return deep(n-1, b, c, d, e, a) + int(pad[(n+1)%200]) + a*b + c*d + e
}

//go:noinline
func caught(n int) (what any) {
	defer func() {
		runtime.GC()
		what = recover()
	}()
	return deep(n, 1, 2, 3, 4, 5)
}

//go:noinline
func rotate(list []int) (a, b, c, d, e, f int) {
	a, b, c, d, e, f = 1, 2, 3, 4, 5, 6
	for i := range 12 {
		fmt.Println(named(i % 7))
		t, s, m := large(i % 5)
		fmt.Println(t.a[3], s, m, few(i), late(i%6, list), caught(i*300))
		a, b, c, d, e, f = b, c, d, e, f+i, few(a)
	}
	return
}

func main() {
	fmt.Println(rotate([]int{3, 1, 4, 1}))
	done := make(chan string)
	for i := range 4 {
		go func() { done <- fmt.Sprint(caught(i*1000), few(i)) }()
	}
	seen := map[string]int{}
	for range 4 {
		seen[<-done]++
	}
	fmt.Println(seen)
}
