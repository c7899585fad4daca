// Blocking, Cond: it waits in a loop, with a test.
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
	for !ready {
		cond.Wait()
	}
	if !ready {
		panic("not ready")
	}
	mu.Unlock()
}
