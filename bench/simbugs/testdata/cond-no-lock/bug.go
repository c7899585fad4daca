// Blocking, Cond: the flag is set without the lock, between the waiter's test and its Wait.
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
		done.Store(true)
		cond.Broadcast()
	}()
	mu.Lock()
	for !done.Load() {
		cond.Wait()
	}
	mu.Unlock()
}
