// Atomicity, atomic: a stack of numbers: its head is the same as before, but what lies behind it
// is not.
package main

import (
	"sync"
	"sync/atomic"
)

type stack struct {
	head atomic.Int64
	next [4]atomic.Int64
}

func (s *stack) pop() int64 {
	for {
		h := s.head.Load()
		if h == 0 || s.head.CompareAndSwap(h, s.next[h].Load()) {
			return h
		}
	}
}

func (s *stack) push(i int64) {
	for {
		h := s.head.Load()
		s.next[i].Store(h)
		if s.head.CompareAndSwap(h, i) {
			return
		}
	}
}

func main() {
	var s stack
	s.push(2)
	s.push(1)
	var used [4]atomic.Int32
	take := func() int64 {
		i := s.pop()
		if i != 0 && used[i].Add(1) > 1 {
			panic("taken twice")
		}
		return i
	}
	var wg sync.WaitGroup
	wg.Go(func() { take(); take() })
	wg.Go(func() {
		a := take()
		take()
		if a != 0 {
			used[a].Add(-1)
			s.push(a)
		}
	})
	wg.Wait()
}
