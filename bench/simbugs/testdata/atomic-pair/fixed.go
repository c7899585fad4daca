// Atomicity, atomic: a lock covers both.
package main

import (
	"sync"
	"sync/atomic"
)

type mean struct {
	mu     sync.Mutex
	sum, n atomic.Int64
}

func (m *mean) add(v int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum.Add(v)
	m.n.Add(1)
}

func (m *mean) get() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sum.Load() / m.n.Load()
}

func main() {
	var m mean
	m.add(10)
	var wg sync.WaitGroup
	wg.Go(func() { m.add(10) })
	wg.Go(func() {
		if m.get() != 10 {
			panic("wrong mean")
		}
	})
	wg.Wait()
}
