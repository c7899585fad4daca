// Blocking, mutex: a listener is called with the lock held, and may remove itself, for which it
// takes the lock.
package main

import (
	"sync"
)

type bus struct {
	mu        sync.Mutex
	listeners map[int]func()
}

func (b *bus) add(id int, f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listeners[id] = f
}

func (b *bus) remove(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.listeners, id)
}

func (b *bus) fire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.listeners {
		f()
	}
}

func main() {
	b := &bus{listeners: map[int]func(){}}
	var wg sync.WaitGroup
	wg.Go(func() { b.add(1, func() { b.remove(1) }) })
	wg.Go(b.fire)
	wg.Wait()
}
