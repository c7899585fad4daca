// Blocking, channel: two see room in the channel, and there is room for one; nobody reads until
// both are done.
package main

import (
	"sync"
)

func main() {
	events := make(chan int, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if len(events) < cap(events) {
				events <- i
			}
		})
	}
	wg.Wait()
	<-events
}
