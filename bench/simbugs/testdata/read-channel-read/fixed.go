// Blocking, RWMutex and channel: the reader gives the lock back before it waits.
package main

import (
	"sync"
)

func main() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	hello := make(chan int)
	n := 1
	wg.Go(func() {
		mu.RLock()
		v := n
		mu.RUnlock()
		if <-hello+v == 0 {
			panic("nothing was read")
		}
	})
	wg.Go(func() {
		mu.RLock()
		v := n
		mu.RUnlock()
		hello <- v
	})
	wg.Go(func() {
		mu.Lock()
		n++
		mu.Unlock()
	})
	wg.Wait()
}
