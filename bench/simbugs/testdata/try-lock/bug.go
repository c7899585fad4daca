// Misuse, mutex: the unlock is deferred whether TryLock got the lock or not.
package main

import (
	"sync"
)

type job struct {
	mu sync.Mutex
	n  int
}

func (j *job) run() {
	ok := j.mu.TryLock()
	defer j.mu.Unlock()
	if ok {
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
