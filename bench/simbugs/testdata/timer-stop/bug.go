// Order, timer: the session is used again although Stop says that the function of its timer has
// begun.
package main

import (
	"sync"
	"time"
)

type session struct {
	mu     sync.Mutex
	closed bool
	timer  *time.Timer
}

func (s *session) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func (s *session) use() bool {
	s.timer.Stop()
	return true
}

func main() {
	s := &session{}
	s.mu.Lock()
	s.timer = time.AfterFunc(time.Millisecond, s.expire)
	s.mu.Unlock()
	time.Sleep(time.Millisecond - 10*time.Microsecond)
	used := s.use()
	time.Sleep(time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	if used && s.closed {
		panic("closed while it is used")
	}
}
