// Atomicity, atomic: Swap does both.
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
		total.Add(hits.Swap(0))
	})
	wg.Wait()
	if total.Load()+hits.Load() != 3 {
		panic("hits are lost")
	}
}
