// Atomicity, atomic: the head has a number of changes beside it.
package main

import (
	"sync"
	"sync/atomic"
)

type stack struct {
	head atomic.Int64
	next [4]atomic.Int64
}

const one = 1 << 8

func (s *stack) pop() int64 {
	for {
		h := s.head.Load()
		if h%one == 0 || s.head.CompareAndSwap(h, h-h%one+one+s.next[h%one].Load()) {
			return h % one
		}
	}
}

func (s *stack) push(i int64) {
	for {
		h := s.head.Load()
		s.next[i].Store(h % one)
		if s.head.CompareAndSwap(h, h-h%one+one+i) {
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
