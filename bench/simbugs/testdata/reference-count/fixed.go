// Atomicity, atomic: the result of taking it off says who is the last.
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
	if s.refs.Add(-1) == 0 {
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
