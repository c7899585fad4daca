// Check then act, channel: two look whether the channel is closed, and both close it.
package main

import (
	"sync"
)

type conn struct {
	done chan bool
}

func (c *conn) close() {
	select {
	case <-c.done:
	default:
		close(c.done)
	}
}

func main() {
	c := &conn{done: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(c.close)
	wg.Go(c.close)
	wg.Wait()
}
