// Data race: the pointer is atomic.
package main

import (
	"sync"
	"sync/atomic"
)

type table struct{ size int }

var (
	mu  sync.Mutex
	all atomic.Pointer[table]
)

func get() *table {
	if all.Load() == nil {
		mu.Lock()
		defer mu.Unlock()
		if all.Load() == nil {
			all.Store(&table{size: 8})
		}
	}
	return all.Load()
}

func main() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if get().size != 8 {
				panic("half a table")
			}
		})
	}
	wg.Wait()
}
