// Check then act, channel: the flag says open, and the channel is closed before the value is sent.
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
	closed := t.closed
	t.mu.Unlock()
	if !closed {
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
