// Data race, RWMutex: hits are counted under the lock for readers.
package main

import "sync"

type cache struct {
	mu   sync.RWMutex
	data map[string]int
	hits int
}

func (c *cache) get(key string) int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok := c.data[key]
	if ok {
		c.hits++
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
