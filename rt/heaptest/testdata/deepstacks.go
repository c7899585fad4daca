// Goroutines on deep stacks, which a collection scans while they are kept from running, have the only
// pointers to objects in frames far below: they are stored there through pointers, and by other
// goroutines, moved from frame to frame, and returned.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type object struct {
	n    int
	rest [6]int
	next *object
}

func made(n int) *object { return &object{n: n, rest: [6]int{n, n, n, n, n, n}, next: &object{n: -n}} }

func (o *object) check(n int) {
	if o.n != n || o.next.n != -n {
		panic(fmt.Sprint("an object has ", o.n, " and ", o.next.n, ", not ", n))
	}
	for _, r := range o.rest {
		if r != n {
			panic(fmt.Sprint("an object has ", o.rest, ", not ", n))
		}
	}
}

// results travel in memory of the caller's.
type results struct{ objects [8]*object }

// below runs f with so many frames of half a kilobyte above it. Each has an object, and each result is
// written to the place of the frame before by the deepest.
//
//go:noinline
func below(depth int, f func()) results {
	var frame [60]int
	frame[depth%60] = depth
	kept := made(depth)
	if depth == 0 {
		f()
		var r results
		for i := range r.objects {
			r.objects[i] = made(i)
		}
		work(50)
		return r
	}
	if depth%2 == 0 {
		return below(depth-1, f)
	}
	r := below(depth-1, f)
	kept.check(depth)
	if frame[depth%60] != depth {
		panic("a frame was overwritten")
	}
	return r
}

// work lets collections begin and end.
func work(n int) {
	for range n {
		for range 20 {
			garbage = made(0)
		}
		runtime.Gosched()
	}
}

var garbage *object

func run(depth, rounds int, in chan *object) {
	var only, other *object // far below what stores here
	var from [4]*object
	place, places := &only, &from
	r := below(depth, func() {
		for i := range rounds {
			*place = made(i)
			places[i%4] = *place
			work(10)
			(*place).check(i)
			*place = nil // now it is only in places
			work(10)
			places[i%4].check(i)
			other, places[i%4] = places[i%4], nil
			work(10)
			other.check(i)
			other = nil
			*place = <-in
			work(10)
			(*place).check(1000)
		}
	})
	for i, o := range r.objects {
		o.check(i)
	}
}

func main() {
	var all sync.WaitGroup
	in, stop := make(chan *object), make(chan bool)
	for i := range 3 {
		all.Go(func() { run(2500*i, 60, in) })
	}
	go func() {
		for {
			select {
			case in <- made(1000):
			case <-stop:
				return
			}
		}
	}()
	var collectors sync.WaitGroup
	for range 3 {
		collectors.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runtime.GC()
				}
			}
		})
	}
	all.Wait()
	close(stop)
	collectors.Wait()
	fmt.Println("done")
}
