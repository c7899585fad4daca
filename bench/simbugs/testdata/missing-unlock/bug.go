// Blocking, mutex: the path on which nothing is to be done returns with the lock held.
package main

import (
	"sync"
)

type set struct {
	mu   sync.Mutex
	have map[int]bool
}

func (s *set) add(v int) bool {
	s.mu.Lock()
	if s.have[v] {
		return false
	}
	s.have[v] = true
	s.mu.Unlock()
	return true
}

func (s *set) remove(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.have, v)
}

func main() {
	s := &set{have: map[int]bool{}}
	var wg sync.WaitGroup
	wg.Go(func() { s.add(1); s.remove(1) })
	wg.Go(func() { s.add(1); s.remove(1) })
	wg.Wait()
}
