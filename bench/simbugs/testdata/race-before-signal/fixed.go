// Data race, Cond: it is changed under the lock.
package main

import "sync"

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	state := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		state = 1
		cond.Broadcast()
		mu.Unlock()
	})
	mu.Lock()
	for state == 0 {
		cond.Wait()
	}
	mu.Unlock()
	wg.Wait()
}
