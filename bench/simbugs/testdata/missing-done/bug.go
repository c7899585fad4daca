// Blocking, WaitGroup: a worker that is told to stop returns without Done.
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
			select {
			case <-stop:
				return
			default:
			}
			wg.Done()
		}()
	}
	close(stop)
	wg.Wait()
}
