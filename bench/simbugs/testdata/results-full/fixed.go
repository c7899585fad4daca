// Blocking, channel and WaitGroup: there is room for all.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	results := make(chan int, 3)
	var skip atomic.Bool
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if i == 2 && skip.Load() {
				return
			}
			results <- i
		})
	}
	skip.Store(true)
	wg.Wait()
	close(results)
	for range results {
	}
}
