package store

import "sync"

// made are the keys of what this process has made.
type made struct {
	mu   sync.Mutex
	keys map[string]bool
}

// Usable reports whether something in the cache may be used: with Rebuild only what this process
// has made.
func (c *Cache) Usable(key string) bool {
	c.made.mu.Lock()
	defer c.made.mu.Unlock()
	return !c.Rebuild || c.made.keys[key]
}

// NoteMade notes that this process has made something.
func (c *Cache) NoteMade(key string) {
	c.made.mu.Lock()
	defer c.made.mu.Unlock()
	if c.made.keys == nil {
		c.made.keys = map[string]bool{}
	}
	c.made.keys[key] = true
}
