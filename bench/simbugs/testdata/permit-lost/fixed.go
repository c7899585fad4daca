// Blocking, semaphore: the permit's return is deferred.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	permits := make(chan bool, 2)
	var cancelled atomic.Bool
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			permits <- true
			defer func() { <-permits }()
			if i == 1 {
				cancelled.Store(true)
			}
			if cancelled.Load() && i > 1 {
				return
			}
		})
	}
	wg.Wait()
}
