// Misuse, WaitGroup: each round has its own group.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var watchers sync.WaitGroup
	for range 3 {
		var group sync.WaitGroup
		group.Add(1)
		var done atomic.Bool
		watchers.Go(func() {
			group.Wait()
			if !done.Load() {
				panic("not done")
			}
		})
		done.Store(true)
		group.Done()
	}
	watchers.Wait()
}
