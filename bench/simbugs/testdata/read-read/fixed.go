// Blocking, RWMutex: the inner function is for callers that hold the lock.
package main

import (
	"sync"
)

type table struct {
	mu   sync.RWMutex
	rows map[string]int
}

func (t *table) sum(names ...string) (n int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, name := range names {
		n += t.row(name)
	}
	return n
}

func (t *table) row(name string) int {
	return t.rows[name]
}

func (t *table) set(name string, v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[name] = v
}

func main() {
	t := &table{rows: map[string]int{"a": 1, "b": 2}}
	var wg sync.WaitGroup
	wg.Go(func() { t.sum("a", "b") })
	wg.Go(func() { t.set("a", 3) })
	wg.Wait()
}
