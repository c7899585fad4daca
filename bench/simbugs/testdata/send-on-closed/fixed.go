// Order, channel: the last sender's end closes it.
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
	wg.Wait()
	close(out)
	wg.Wait()
}
