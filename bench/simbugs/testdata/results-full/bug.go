// Blocking, channel and WaitGroup: results are read behind Wait, and there is no room for all of
// them when no job is skipped.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	results := make(chan int, 2)
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
