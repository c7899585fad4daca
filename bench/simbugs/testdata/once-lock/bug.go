// Blocking, Once and mutex: one holds the lock and waits for Once, in which the other waits for
// the lock.
package main

import (
	"sync"
)

type store struct {
	mu   sync.Mutex
	once sync.Once
	n    int
}

func (s *store) load() {
	s.mu.Lock()
	s.n = 1
	s.mu.Unlock()
}

func (s *store) warm() { s.once.Do(s.load) }

func (s *store) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n == 0 {
		s.once.Do(s.load)
	}
	s.n++
}

func main() {
	var s store
	var wg sync.WaitGroup
	wg.Go(s.warm)
	wg.Go(s.add)
	wg.Wait()
}
