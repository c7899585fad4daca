// Atomicity: the counter is atomic.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 3 {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if n.Load() != 9 {
		panic("lost")
	}
}
