// Data race: the message takes the lock.
package main

import (
	"fmt"
	"io"
	"sync"
)

type batch struct {
	mu   sync.Mutex
	done int
}

func (b *batch) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
}

func (b *batch) finished() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done
}

func main() {
	var b batch
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(b.finish)
	}
	fmt.Fprintf(io.Discard, "%d of 4\n", b.finished())
	wg.Wait()
	if b.done != 4 {
		panic("lost")
	}
}
