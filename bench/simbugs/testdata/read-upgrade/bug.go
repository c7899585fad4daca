// Blocking, RWMutex: what is missing is made with the write lock while the read lock is still
// held.
package main

import (
	"sync"
)

type table struct {
	mu   sync.RWMutex
	rows map[int]int
}

func (t *table) get(k int) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	v, ok := t.rows[k]
	if ok {
		return v
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.rows[k]; ok {
		return v
	}
	t.rows[k] = k * k
	return k * k
}

func main() {
	t := &table{rows: map[int]int{1: 1}}
	var wg sync.WaitGroup
	for k := range 3 {
		wg.Go(func() {
			if t.get(k) != k*k {
				panic("wrong square")
			}
		})
	}
	wg.Wait()
}
