// Misuse, WaitGroup: the next round adds to the group before all have left the Wait of the last
// one.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var group sync.WaitGroup
	var watchers sync.WaitGroup
	for range 3 {
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
		group.Wait()
	}
	watchers.Wait()
}
