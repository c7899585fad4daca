// Atomicity: what was read before the change is put into the cache after the cache was cleared.
package main

import (
	"sync"
)

type cached struct {
	mu               sync.Mutex
	db, copy, change int
}

func (c *cached) get() {
	c.mu.Lock()
	v := c.db
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.copy = v
}

func (c *cached) put(v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.db, c.copy = v, 0
	c.change++
}

func main() {
	c := &cached{db: 1}
	var wg sync.WaitGroup
	wg.Go(c.get)
	wg.Go(func() { c.put(2) })
	wg.Wait()
	if c.copy != 0 && c.copy != c.db {
		panic("stale")
	}
}
