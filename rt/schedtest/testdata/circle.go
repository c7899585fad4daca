// Goroutines that do nothing but yield, many more than the Ps' queues hold, have their turns in a circle: when the first has had 200, none
// of the others has had only a few, on one processor. With two, a thread may be without a CPU meanwhile, and what is in its queue with it.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	goroutines = 5000
	turns      = 200
)

// run returns how many goroutines have had fewer than least turns when the first has had all.
func run(procs int, least int32) (few int) {
	runtime.GOMAXPROCS(procs)
	var wg sync.WaitGroup
	var begin, stop atomic.Bool
	counts := make([]atomic.Int32, goroutines)
	for i := range counts {
		wg.Go(func() {
			for !begin.Load() {
				runtime.Gosched()
			}
			for !stop.Load() {
				if counts[i].Add(1) == turns {
					stop.Store(true)
				}
				runtime.Gosched()
			}
		})
	}
	begin.Store(true)
	wg.Wait()
	for i := range counts {
		if counts[i].Load() < least {
			few++
		}
	}
	return few
}

func main() {
	if n := run(1, turns/8); n > 0 {
		fmt.Println(n, "goroutines had few turns on one processor")
	}
	if n := run(2, turns/20); n > goroutines/4 {
		fmt.Println(n, "goroutines had few turns on two processors")
	}
	fmt.Println("done")
}

// Output:
// done
