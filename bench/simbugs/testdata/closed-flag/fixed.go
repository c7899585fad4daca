// Check then act, channel: a lock covers the flag and the send.
package main

import (
	"sync"
)

type topic struct {
	mu     sync.Mutex
	closed bool
	out    chan int
}

func (t *topic) publish(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.out <- v
	}
}

func (t *topic) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	close(t.out)
}

func main() {
	t := &topic{out: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Go(func() { t.publish(1) })
	wg.Go(t.close)
	wg.Wait()
}
