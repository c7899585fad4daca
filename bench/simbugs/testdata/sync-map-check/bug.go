// Check then act, sync.Map: Load and Store are two steps: two become the owner.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var owners sync.Map
	var n atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if _, ok := owners.Load("x"); !ok {
				owners.Store("x", i)
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if n.Load() != 1 {
		panic("two owners")
	}
}
