// Check then act, map: the map is made under the lock.
package main

import (
	"sync"
)

type registry struct {
	mu    sync.Mutex
	names map[string]bool
}

func (r *registry) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names == nil {
		r.names = make(map[string]bool)
	}
	r.names[name] = true
}

func main() {
	var r registry
	var wg sync.WaitGroup
	wg.Go(func() { r.add("a") })
	wg.Go(func() { r.add("b") })
	wg.Wait()
	if len(r.names) != 2 {
		panic("a name is lost")
	}
}
