// Data race, Once: Once is asked first.
package main

import "sync"

type client struct {
	once sync.Once
	conn *int
}

func (c *client) dial() { c.once.Do(func() { c.conn = new(int) }) }

func (c *client) connected() bool {
	c.dial()
	return c.conn != nil
}

func main() {
	var c client
	var wg sync.WaitGroup
	wg.Go(c.dial)
	_ = c.connected()
	wg.Wait()
	c.dial()
	if !c.connected() {
		panic("not connected")
	}
}
