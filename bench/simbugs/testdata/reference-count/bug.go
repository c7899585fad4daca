// Atomicity, atomic: two take off their reference, and both then see that there is none.
package main

import (
	"sync/atomic"
	"time"
)

type shared struct {
	refs atomic.Int32
	done chan bool
}

func (s *shared) release() {
	s.refs.Add(-1)
	if s.refs.Load() == 0 {
		close(s.done)
	}
}

func main() {
	s := &shared{done: make(chan bool)}
	s.refs.Store(2)
	go s.release()
	s.release()
	<-s.done
	time.Sleep(time.Millisecond)
}
