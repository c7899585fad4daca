// Check then act, sync.Map: LoadOrStore is one.
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
			if _, ok := owners.LoadOrStore("x", i); !ok {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if n.Load() != 1 {
		panic("two owners")
	}
}
