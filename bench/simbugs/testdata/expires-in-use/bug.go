// Check then act, timer: the session's timer comes between the test and the use, although nobody
// else runs.
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
	s.expired.Store(true)
	s.user.Store(nil)
}

func (s *session) name() string {
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
