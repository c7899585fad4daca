// Data race: the number of jobs that are done is read for a message without the lock.
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

func main() {
	var b batch
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(b.finish)
	}
	fmt.Fprintf(io.Discard, "%d of 4\n", b.done)
	wg.Wait()
	if b.done != 4 {
		panic("lost")
	}
}
