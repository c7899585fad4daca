// Atomicity, RWMutex: the table is looked at again under the write lock.
package main

import (
	"sync"
)

type ids struct {
	mu   sync.RWMutex
	of   map[string]int
	next int
}

func (t *ids) get(name string) int {
	t.mu.RLock()
	id, ok := t.of[name]
	t.mu.RUnlock()
	if ok {
		return id
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.of[name]; ok {
		return id
	}
	t.next++
	t.of[name] = t.next
	return t.next
}

func main() {
	t := &ids{of: map[string]int{}}
	var got [2]int
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = t.get("x") })
	}
	wg.Wait()
	if got[0] != got[1] {
		panic("two numbers for one name")
	}
}
