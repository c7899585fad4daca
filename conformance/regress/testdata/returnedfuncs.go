// Functions that return functions: what is passed to those may be in the frame of the caller, unless
// they keep it.
package main

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

type tree struct {
	left, right *tree
	value       *int
}

// All recurses by way of the function that it returns.
func (t *tree) All() iter.Seq[*int] {
	return func(yield func(*int) bool) {
		if t == nil {
			return
		}
		for p := range t.left.All() {
			if !yield(p) {
				return
			}
		}
		if !yield(t.value) {
			return
		}
		for p := range t.right.All() {
			if !yield(p) {
				return
			}
		}
	}
}

func grow(from, to int) *tree {
	if from >= to {
		return nil
	}
	middle := (from + to) / 2
	return &tree{grow(from, middle), grow(middle+1, to), &middle}
}

var kept []func(*int) bool

// keeper returns a function that keeps what it is given.
func keeper() func(func(*int) bool) {
	return func(yield func(*int) bool) { kept = append(kept, yield) }
}

// keeperOf keeps it in a variable that the returned function has captured.
func keeperOf() (func(func(*int) bool), func() func(*int) bool) {
	var last func(*int) bool
	return func(yield func(*int) bool) { last = yield }, func() func(*int) bool { return last }
}

// sometimes returns one function or another.
func sometimes(keep bool, t *tree) func(func(*int) bool) {
	if keep {
		return keeper()
	}
	return t.All()
}

func identity[T any]() func(T) T { return func(x T) T { return x } }

// through returns what was passed: the variable must outlive the call.
func through(n int) *int {
	x := n
	return identity[*int]()(&x)
}

// nested returns a function that returns a function that gives back its argument.
func nested() func() func(*int) *int {
	return func() func(*int) *int { return func(p *int) *int { return p } }
}

func throughNested(n int) *int {
	x := n
	return nested()()(&x)
}

// holder gives its argument back later.
func holder() (put func(*int), get func() *int) {
	var p *int
	return func(q *int) { p = q }, func() *int { return p }
}

func throughHolder(n int) *int {
	x := n
	put, get := holder()
	put(&x)
	return get()
}

// chooser returns one of several functions from a table.
func chooser(i int) func(*int) *int {
	f := func(p *int) *int { return nil }
	for range i {
		f = func(p *int) *int { return p }
	}
	return f
}

func throughChooser(i, n int) *int {
	x := n
	return chooser(i)(&x)
}

func sum(t *tree, limit int) (n int) {
	for p := range t.All() {
		if n += *p; n > limit {
			break
		}
	}
	return n
}

var garbage []byte

// waste has the frames of dead calls overwritten and the collector run.
func waste(n int) int {
	var room [64]int
	for i := range room {
		room[i] = n * i
	}
	garbage = make([]byte, 1<<16)
	return room[n%64]
}

func run(seed int) string {
	var out strings.Builder
	t := grow(0, 20)
	fmt.Fprint(&out, sum(t, 1000), sum(t, 30), " ")
	kept = nil
	for i := range 5 {
		count := seed
		sometimes(i%2 == 0, t)(func(p *int) bool { count += *p + i; return count < 100 })
		fmt.Fprint(&out, count, " ")
		waste(i)
	}
	for _, f := range kept {
		fmt.Fprint(&out, f(through(7)), f(through(70)), " ")
	}
	put, last := keeperOf()
	for i := range 3 {
		count := i * seed
		put(func(p *int) bool { count += *p; return count%2 == 0 })
	}
	waste(3)
	fmt.Fprint(&out, last()(through(3)), last()(through(4)), " ")
	var list []*int
	for i := range 10 {
		list = append(list, through(i), throughNested(i*2), throughHolder(i*3), throughChooser(i%3, i*4))
		waste(i)
	}
	for _, p := range list {
		if p == nil {
			out.WriteString("nil ")
		} else {
			fmt.Fprint(&out, *p, " ")
		}
	}
	parts := slices.Collect(strings.SplitSeq("a,b,c,d", ","))
	for p := range strings.FieldsSeq(" x y  z ") {
		parts = append(parts, p)
	}
	fmt.Fprint(&out, parts)
	return out.String()
}

func main() {
	debug.SetGCPercent(5)
	for seed := range 3 {
		fmt.Println(run(seed))
	}
	t := grow(0, 100)
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() {
			for range 20 {
				if n := sum(t, 1_000_000); n != 4950 {
					panic(fmt.Sprint(i, n))
				}
				waste(i)
				if p := throughHolder(i); *p != i {
					panic(i)
				}
			}
		})
	}
	wait.Wait()
}
