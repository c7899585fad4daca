// Blocking, semaphore: a job that is cancelled does not give its permit back.
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
			if i == 1 {
				cancelled.Store(true)
			}
			if cancelled.Load() && i > 1 {
				return
			}
			<-permits
		})
	}
	wg.Wait()
}
