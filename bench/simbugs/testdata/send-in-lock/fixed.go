// Blocking, mutex and channel: the producer sends without the lock.
package main

import (
	"sync"
)

type state struct {
	mu   sync.Mutex
	seen int
}

func main() {
	var s state
	events := make(chan int)
	done := make(chan bool)
	go func() {
		for {
			s.mu.Lock()
			enough := s.seen == 3
			s.mu.Unlock()
			if enough {
				close(done)
				return
			}
			<-events
		}
	}()
	for range 3 {
		s.mu.Lock()
		s.seen++
		n := s.seen
		s.mu.Unlock()
		select {
		case events <- n:
		case <-done:
		}
	}
	<-done
}
