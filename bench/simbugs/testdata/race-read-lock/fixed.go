// Data race, RWMutex: the counter is atomic.
package main

import (
	"sync"
	"sync/atomic"
)

type cache struct {
	mu   sync.RWMutex
	data map[string]int
	hits atomic.Int64
}

func (c *cache) get(key string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok := c.data[key]
	if ok {
		c.hits.Add(1)
	}
	return v
}

func main() {
	c := cache{data: map[string]int{"a": 1}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if c.get("a") != 1 {
				panic("lost")
			}
		})
	}
	wg.Wait()
}
