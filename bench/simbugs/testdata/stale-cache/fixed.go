// Atomicity: it is put there only if there was no change meanwhile.
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
	change := c.change
	v := c.db
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.change == change {
		c.copy = v
	}
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
