// Atomicity, atomic: the number is compared with the limit, and then one is added.
package main

import (
	"sync"
	"sync/atomic"
)

type limiter struct{ n, most, peak atomic.Int32 }

func (l *limiter) enter() bool {
	if l.n.Load() >= l.most.Load() {
		return false
	}
	l.n.Add(1)
	return true
}

func main() {
	var l limiter
	l.most.Store(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if l.enter() {
				l.peak.Add(1)
			}
		})
	}
	wg.Wait()
	if l.peak.Load() > 1 {
		panic("too many")
	}
}
