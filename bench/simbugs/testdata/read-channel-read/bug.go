// Blocking, RWMutex and channel: a reader waits for another reader, which cannot get the lock once
// a writer waits for it.
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
		if <-hello+v == 0 {
			panic("nothing was read")
		}
		mu.RUnlock()
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
