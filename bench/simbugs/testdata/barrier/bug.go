// Blocking, Cond: the last one resets the count, and those who wait look at it when it is 0 again.
package main

import (
	"sync"
)

type barrier struct {
	mu       sync.Mutex
	cond     *sync.Cond
	n, round int
}

func (b *barrier) wait(parties int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	if b.n == parties {
		b.cond.Broadcast()
		go func() {
			b.mu.Lock()
			b.n = 0
			b.mu.Unlock()
		}()
	}
	for b.n != 0 && b.n < parties {
		b.cond.Wait()
	}
}

func main() {
	var b barrier
	b.cond = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			b.wait(2)
			b.wait(2)
		})
	}
	wg.Wait()
}
