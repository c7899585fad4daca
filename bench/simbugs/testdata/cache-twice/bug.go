// Atomicity, check then act: two find nothing in the cache, and both load.
package main

import (
	"sync"
)

type cache struct {
	mu    sync.Mutex
	items map[string]int
	loads int
}

func (c *cache) get(k string) int {
	c.mu.Lock()
	v, ok := c.items[k]
	c.mu.Unlock()
	if !ok {
		v = c.load(k)
		c.mu.Lock()
		c.items[k] = v
		c.mu.Unlock()
	}
	return v
}

func (c *cache) load(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loads++
	return len(k)
}

func main() {
	c := &cache{items: map[string]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.get("key") })
	}
	wg.Wait()
	if c.loads != 1 {
		panic("loaded twice")
	}
}
