// Misuse, mutex: what is to be counted is dropped when the lock is held.
package main

import (
	"sync"
)

func main() {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if mu.TryLock() {
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if n != 2 {
		panic("not counted")
	}
}
