// Order, channel: the channel is closed while one who sends is on the way.
package main

import (
	"sync"
)

func main() {
	out := make(chan int, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { out <- i })
	}
	<-out
	close(out)
	wg.Wait()
}
