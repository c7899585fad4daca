// Check then act, timer: a lock covers both.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type session struct {
	mu      sync.Mutex
	expired atomic.Bool
	user    atomic.Pointer[string]
}

func (s *session) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expired.Store(true)
	s.user.Store(nil)
}

func (s *session) name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expired.Load() {
		return ""
	}
	return *s.user.Load()
}

func main() {
	var s session
	user := "loam"
	s.user.Store(&user)
	timer := time.AfterFunc(time.Millisecond, s.expire)
	defer timer.Stop()
	for range 3 {
		s.name()
	}
}
