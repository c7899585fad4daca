// Order, channel: two workers take jobs in their order, and finish them in any.
package main

import (
	"sync"
)

func main() {
	jobs := make(chan int, 3)
	results := make(chan int, 3)
	for i := range 3 {
		jobs <- i
	}
	close(jobs)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				results <- j
			}
		})
	}
	wg.Wait()
	for i := range 3 {
		if <-results != i {
			panic("out of order")
		}
	}
}
