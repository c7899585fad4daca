// Order, closure: all goroutines share the variable of the loop, which is declared before it.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var sum atomic.Int64
	var wg sync.WaitGroup
	var i int
	for i = 0; i < 3; i++ {
		wg.Go(func() { sum.Add(int64(i)) })
	}
	wg.Wait()
	if sum.Load() != 3 {
		panic("a turn was counted twice")
	}
}
