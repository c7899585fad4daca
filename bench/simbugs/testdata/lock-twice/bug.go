// Blocking, mutex: add holds the lock and calls flush, which takes it, when the buffer has filled
// up.
package main

import (
	"sync"
)

type buffer struct {
	mu    sync.Mutex
	items []int
	out   int
}

func (b *buffer) add(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 3 {
		b.flush()
	}
	b.items = append(b.items, v)
}

func (b *buffer) take() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) > 0 {
		b.items = b.items[1:]
	}
}

func (b *buffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out += len(b.items)
	b.items = nil
}

func main() {
	var b buffer
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 4 {
			b.add(i)
		}
	})
	wg.Go(b.take)
	wg.Wait()
}
