// Data race, Cond: the state is changed without the lock that its waiters hold.
package main

import "sync"

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	state := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		state = 1
		mu.Lock()
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
