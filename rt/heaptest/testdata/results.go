package main

import (
	"fmt"
	"runtime"
	"time"
)

// Finalizers whose results travel in memory: what they keep there lives, and they get the object.

type node struct {
	n    int
	next *node
}

type object struct{ n *int }

type padded struct {
	n int
	_ struct{}
}

var sums = make(chan int, 10)

//go:noinline
func fill(r *[4]*node, n int) {
	for i := range r {
		r[i] = &node{n + i, &node{n: i}}
	}
}

func many(o *object) (r [4]*node) {
	fill(&r, *o.n)
	for range 3 {
		runtime.GC()
		for i := range 1000 {
			kept = append(kept, &node{n: -i})
		}
	}
	sum := 0
	for _, p := range r {
		sum += p.n + p.next.n
	}
	sums <- sum
	return r
}

var kept []*node

func one(o *object) padded {
	sums <- *o.n
	return padded{n: *o.n}
}

func none(o any) (r [0]int) {
	sums <- *o.(*object).n
	return r
}

func several(o *object) (a padded, b string, c [1]padded) {
	sums <- *o.n
	return padded{1, struct{}{}}, "x", [1]padded{}
}

//go:noinline
func set(finalizer any, n int) { runtime.SetFinalizer(&object{&n}, finalizer) }

func main() {
	for i, f := range []any{many, one, none, several} {
		set(f, 100*i)
		for done := false; !done; {
			runtime.GC()
			select {
			case sum := <-sums:
				fmt.Println(i, sum)
				done = true
			case <-time.After(time.Millisecond):
			}
		}
	}
}
