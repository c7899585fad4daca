// Order, Once: the flag is set before what it stands for.
package main

import (
	"sync"
	"sync/atomic"
)

type config struct {
	loaded atomic.Bool
	name   atomic.Pointer[string]
}

func (c *config) load() {
	s := "loam"
	c.name.Store(&s)
}

func (c *config) get() string {
	if c.loaded.CompareAndSwap(false, true) {
		c.load()
	}
	return *c.name.Load()
}

func main() {
	var c config
	var wg sync.WaitGroup
	wg.Go(func() { c.get() })
	wg.Go(func() { c.get() })
	wg.Wait()
}
