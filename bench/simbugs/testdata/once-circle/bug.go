// Blocking, Once: three components start what they depend on, in a circle.
package main

import (
	"sync"
	"time"
)

type component struct {
	once sync.Once
	deps []*component
	up   bool
	mu   sync.Mutex
}

func (c *component) start() {
	c.once.Do(func() {
		for _, d := range c.deps {
			d.start()
		}
		c.mu.Lock()
		c.up = true
		c.mu.Unlock()
	})
}

func main() {
	db, cache, web := &component{}, &component{}, &component{}
	db.deps = []*component{cache}
	cache.deps = []*component{web}
	web.deps = []*component{db}
	var wg sync.WaitGroup
	for _, c := range []*component{db, cache, web} {
		wg.Add(1)
		go func() { defer wg.Done(); c.start() }()
	}
	ok := make(chan struct{})
	go func() { wg.Wait(); close(ok) }()
	select {
	case <-ok:
	case <-time.After(2 * time.Second):
		panic("components do not start")
	}
}
