// Order, channel: results have the number of their job.
package main

import (
	"sync"
)

func main() {
	jobs := make(chan int, 3)
	var results [3]int
	for i := range 3 {
		jobs <- i
	}
	close(jobs)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				results[j] = j
			}
		})
	}
	wg.Wait()
	for i, v := range results {
		if v != i {
			panic("out of order")
		}
	}
}
