// Blocking, Cond: all are woken.
package main

import (
	"sync"
)

type queue struct {
	mu   sync.Mutex
	cond *sync.Cond
	full bool
}

func (q *queue) put() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full {
		q.cond.Wait()
	}
	q.full = true
	q.cond.Broadcast()
}

func (q *queue) get() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.full {
		q.cond.Wait()
	}
	q.full = false
	q.cond.Broadcast()
}

func main() {
	var q queue
	q.cond = sync.NewCond(&q.mu)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(q.put)
		wg.Go(q.get)
	}
	wg.Wait()
}
