// Blocking, Cond: the waiter does not look whether what it waits for has happened already.
package main

import (
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		cond.Signal()
		mu.Unlock()
	}()
	mu.Lock()
	cond.Wait()
	if !ready {
		panic("not ready")
	}
	mu.Unlock()
}
