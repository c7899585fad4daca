// Blocking, Once and mutex: Once is done before the lock is taken.
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
	s.warm()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

func main() {
	var s store
	var wg sync.WaitGroup
	wg.Go(s.warm)
	wg.Go(s.add)
	wg.Wait()
}
