// Check then act, atomic: a request is counted before it is let in.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type server struct {
	draining atomic.Bool
	inflight atomic.Int32
	closed   atomic.Bool
}

func (s *server) handle() (ok bool) {
	s.inflight.Add(1)
	defer s.inflight.Add(-1)
	if s.draining.Load() {
		return false
	}
	time.Sleep(100 * time.Microsecond)
	if s.closed.Load() {
		panic("served by a closed server")
	}
	return true
}

func (s *server) shutdown() {
	s.draining.Store(true)
	for s.inflight.Load() > 0 {
		time.Sleep(50 * time.Microsecond)
	}
	s.closed.Store(true)
}

func main() {
	var s server
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for s.handle() {
			}
		})
	}
	time.Sleep(time.Millisecond)
	s.shutdown()
	wg.Wait()
}
