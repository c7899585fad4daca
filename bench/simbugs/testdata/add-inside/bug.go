// Order, WaitGroup: Add is called in the goroutine, so Wait may come first.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var wg sync.WaitGroup
	var n atomic.Int32
	for range 3 {
		go func() {
			wg.Add(1)
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	if n.Load() != 3 {
		panic("not all are done")
	}
}
