// Check then act, channel: Once closes it.
package main

import (
	"sync"
)

type conn struct {
	done chan bool
	once sync.Once
}

func (c *conn) close() {
	c.once.Do(func() { close(c.done) })
}

func main() {
	c := &conn{done: make(chan bool)}
	var wg sync.WaitGroup
	wg.Go(c.close)
	wg.Go(c.close)
	wg.Wait()
}
