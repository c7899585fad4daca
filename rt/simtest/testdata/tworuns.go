package main

import (
	"sync"
	"testing/sim"
)

// Two goroutines, of which either may be first.
func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	order := ""
	for _, name := range []string{"a", "b"} {
		wg.Go(func() {
			mu.Lock()
			order += name
			mu.Unlock()
		})
	}
	wg.Wait()
	sim.Sometimes(order == "ab", "ab")
	sim.Sometimes(order == "ba", "ba")
}
