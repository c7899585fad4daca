// Data race, slice: the length is read under the lock.
package main

import "sync"

type queue struct {
	mu   sync.Mutex
	jobs []int
}

func (q *queue) add(job int) {
	q.mu.Lock()
	q.jobs = append(q.jobs, job)
	q.mu.Unlock()
}

func (q *queue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs) == 0
}

func main() {
	var q queue
	var wg sync.WaitGroup
	wg.Go(func() { q.add(1) })
	for range 3 {
		if q.idle() {
			q.add(0)
		}
	}
	wg.Wait()
}
