//go:build loam

// Package cache keeps what was read from a store. A writer changes the store and then forgets
// what the cache has, so that nobody reads the old value any more.
//
// Every access is under a lock, and no race detector complains. But in cache.go a reader that
// missed may put into the cache what it read before the writer came, after the writer has been
// there. It stays for good. fixed.go puts nothing in if somebody has written since.
//
//	loam test -sim=1000 ./examples/sim/cache
package cache

import "sync"

// store is what the cache is in front of.
type store struct {
	mu     sync.Mutex
	values map[string]int
}

func (s *store) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[key]
}

func (s *store) set(key string, value int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
}

type cache struct {
	store  *store
	mu     sync.Mutex
	values map[string]int
	writes map[string]int // fixed.go
}

func newCache() *cache {
	return &cache{store: &store{values: map[string]int{}}, values: map[string]int{}, writes: map[string]int{}}
}

// lookup returns what the cache has.
func (c *cache) lookup(key string) (value int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok = c.values[key]
	return value, ok
}

// set writes a value.
func (c *cache) set(key string, value int) {
	c.store.set(key, value)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes[key]++
	delete(c.values, key)
}

// getStale is the bug: what it read may be old by the time that it puts it in.
func (c *cache) getStale(key string) int {
	if value, ok := c.lookup(key); ok {
		return value
	}
	value := c.store.get(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = value
	return value
}
