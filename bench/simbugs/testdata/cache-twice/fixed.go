// Atomicity, check then act: the entry is made under the lock, and one that comes later waits for it.
package main

import (
	"sync"
)

type cache struct {
	mu    sync.Mutex
	items map[string]func() int
	loads int
}

func (c *cache) get(k string) int {
	c.mu.Lock()
	f, ok := c.items[k]
	if !ok {
		f = sync.OnceValue(func() int { return c.load(k) })
		c.items[k] = f
	}
	c.mu.Unlock()
	return f()
}

func (c *cache) load(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loads++
	return len(k)
}

func main() {
	c := &cache{items: map[string]func() int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.get("key") })
	}
	wg.Wait()
	if c.loads != 1 {
		panic("loaded twice")
	}
}
