// Blocking, channel: a select with a default does both at once.
package main

import (
	"sync"
)

func main() {
	jobs := make(chan int, 3)
	for i := range 3 {
		jobs <- i
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-jobs:
				default:
					return
				}
			}
		})
	}
	wg.Wait()
}
