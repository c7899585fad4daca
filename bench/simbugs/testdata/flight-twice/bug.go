// Atomicity, check then act: the call is no longer in flight, but its result is not in the cache
// yet: it is made again.
package main

import (
	"sync"
)

type group struct {
	mu       sync.Mutex
	inFlight bool
	result   int
	calls    int
}

func (g *group) get() {
	g.mu.Lock()
	if g.inFlight || g.result != 0 {
		g.mu.Unlock()
		return
	}
	g.inFlight = true
	g.calls++
	g.mu.Unlock()
	v := 42
	g.mu.Lock()
	g.inFlight = false
	g.mu.Unlock()
	g.mu.Lock()
	g.result = v
	g.mu.Unlock()
}

func main() {
	var g group
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(g.get)
	}
	wg.Wait()
	if g.calls != 1 {
		panic("called twice")
	}
}
