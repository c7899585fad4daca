// Blocking, context and timer: the context is never cancelled, so the janitor goes on by its
// ticker.
package main

import (
	"context"
	"sync"
	"time"
)

type cache struct {
	mu    sync.Mutex
	items map[string]time.Time
	stop  context.CancelFunc
}

func newCache(ctx context.Context, ttl time.Duration) *cache {
	c := &cache{items: map[string]time.Time{}}
	ctx, c.stop = context.WithCancel(ctx)
	go c.janitor(ctx, ttl)
	return c
}

func (c *cache) janitor(ctx context.Context, ttl time.Duration) {
	tick := time.NewTicker(ttl)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			c.mu.Lock()
			for k, t := range c.items {
				if now.Sub(t) > ttl {
					delete(c.items, k)
				}
			}
			c.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

func (c *cache) put(k string) { c.mu.Lock(); c.items[k] = time.Now(); c.mu.Unlock() }

func main() {
	for i := 0; i < 3; i++ {
		c := newCache(context.Background(), 10*time.Millisecond)
		c.put("a")
		c.put("b")
	}
}
