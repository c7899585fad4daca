// Order, Once: Once does both.
package main

import (
	"sync"
	"sync/atomic"
)

type config struct {
	loaded atomic.Bool
	once   sync.Once
	name   atomic.Pointer[string]
}

func (c *config) load() {
	s := "loam"
	c.name.Store(&s)
}

func (c *config) get() string {
	c.once.Do(c.load)
	return *c.name.Load()
}

func main() {
	var c config
	var wg sync.WaitGroup
	wg.Go(func() { c.get() })
	wg.Go(func() { c.get() })
	wg.Wait()
}
