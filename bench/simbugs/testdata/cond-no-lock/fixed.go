// Blocking, Cond: the flag is set with the lock held.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.Mutex
	var done atomic.Bool
	cond := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		done.Store(true)
		mu.Unlock()
		cond.Broadcast()
	}()
	mu.Lock()
	for !done.Load() {
		cond.Wait()
	}
	mu.Unlock()
}
