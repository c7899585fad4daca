// Blocking, semaphore: a lock lets one take its permits at a time.
package main

import (
	"sync"
)

func main() {
	permits := make(chan bool, 2)
	var taking sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			taking.Lock()
			permits <- true
			permits <- true
			taking.Unlock()
			<-permits
			<-permits
		})
	}
	wg.Wait()
}
