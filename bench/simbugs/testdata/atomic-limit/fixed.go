// Atomicity, atomic: one is added, and taken off again if that was too much.
package main

import (
	"sync"
	"sync/atomic"
)

type limiter struct{ n, most, peak atomic.Int32 }

func (l *limiter) enter() bool {
	for {
		n := l.n.Load()
		if n >= l.most.Load() {
			return false
		}
		if l.n.CompareAndSwap(n, n+1) {
			return true
		}
	}
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
