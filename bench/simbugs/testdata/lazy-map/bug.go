// Check then act, map: two find no map and make one each; the entry in the first is lost.
package main

import (
	"sync"
)

type registry struct {
	mu    sync.Mutex
	names map[string]bool
}

func (r *registry) add(name string) {
	if r.names == nil {
		r.names = make(map[string]bool)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
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
