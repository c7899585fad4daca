// Blocking, WaitGroup: Done is deferred.
package main

import (
	"sync"
)

func main() {
	var wg sync.WaitGroup
	stop := make(chan bool)
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			select {
			case <-stop:
				return
			default:
			}
		}()
	}
	close(stop)
	wg.Wait()
}
