// Order, closure: each turn has its own.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Go(func() { sum.Add(int64(i)) })
	}
	wg.Wait()
	if sum.Load() != 3 {
		panic("a turn was counted twice")
	}
}
