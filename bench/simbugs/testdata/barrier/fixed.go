// Blocking, Cond: a number of rounds says whether one is over.
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
	round := b.round
	b.n++
	if b.n == parties {
		b.cond.Broadcast()
		b.n = 0
		b.round++
	}
	for b.round == round {
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
