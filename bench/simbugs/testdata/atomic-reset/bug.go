// Atomicity, atomic: the counter is read and then set to 0; what was counted in between is lost.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var hits, total atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 3 {
			hits.Add(1)
		}
	})
	wg.Go(func() {
		total.Add(hits.Load())
		hits.Store(0)
	})
	wg.Wait()
	if total.Load()+hits.Load() != 3 {
		panic("hits are lost")
	}
}
