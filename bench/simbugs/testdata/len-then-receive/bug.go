// Blocking, channel: two look whether there is something in the channel, and one takes it.
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
			for len(jobs) > 0 {
				<-jobs
			}
		})
	}
	wg.Wait()
}
