// Order, Once: what failed is tried again, under a lock.
package main

import (
	"errors"
	"sync"
	"sync/atomic"
)

type client struct {
	mu   sync.Mutex
	once sync.Once
	conn *int
}

func (c *client) dial(up *atomic.Bool) (*int, error) {
	var err error
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		if up.Load() {
			c.conn = new(int)
		} else {
			err = errors.New("down")
		}
	}
	return c.conn, err
}

func main() {
	var c client
	var up atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() { up.Store(true) })
	for range 2 {
		wg.Go(func() {
			if conn, err := c.dial(&up); err == nil {
				_ = *conn
			}
		})
	}
	wg.Wait()
}
