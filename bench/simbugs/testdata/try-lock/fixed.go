// Misuse, mutex: it is deferred when it did.
package main

import (
	"sync"
)

type job struct {
	mu sync.Mutex
	n  int
}

func (j *job) run() {
	if j.mu.TryLock() {
		defer j.mu.Unlock()
		j.n++
	}
}

func main() {
	var j job
	var wg sync.WaitGroup
	wg.Go(j.run)
	wg.Go(j.run)
	wg.Wait()
}
