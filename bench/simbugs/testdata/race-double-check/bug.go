// Data race: the pointer is tested outside of the lock under which it is set.
package main

import "sync"

type table struct{ size int }

var (
	mu  sync.Mutex
	all *table
)

func get() *table {
	if all == nil {
		mu.Lock()
		defer mu.Unlock()
		if all == nil {
			all = &table{size: 8}
		}
	}
	return all
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
