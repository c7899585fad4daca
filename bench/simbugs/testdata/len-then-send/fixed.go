// Blocking, channel: a select with a default does both at once.
package main

import (
	"sync"
)

func main() {
	events := make(chan int, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			select {
			case events <- i:
			default:
			}
		})
	}
	wg.Wait()
	<-events
}
