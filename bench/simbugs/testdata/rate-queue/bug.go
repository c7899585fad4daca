// Blocking, Cond: a queue that is shut down while its reader waits wakes one of its readers only.
package main

import (
	"sync"
	"time"
)

type queue struct {
	mu      sync.Mutex
	cond    *sync.Cond
	items   []string
	dirty   map[string]bool
	working map[string]bool
	down    bool
}

func newQueue() *queue {
	q := &queue{dirty: map[string]bool{}, working: map[string]bool{}}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *queue) add(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down || q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if q.working[item] {
		return
	}
	q.items = append(q.items, item)
	q.cond.Signal()
}

func (q *queue) get() (item string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.down {
		q.cond.Wait()
	}
	if len(q.items) == 0 {
		return "", false
	}
	item = q.items[0]
	q.items = q.items[1:]
	q.working[item] = true
	delete(q.dirty, item)
	return item, true
}

func (q *queue) done(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.working, item)
	if q.dirty[item] {
		q.items = append(q.items, item)
		q.cond.Signal()
	}
}

func (q *queue) shutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.down = true
	q.cond.Signal()
}

func main() {
	q := newQueue()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				item, ok := q.get()
				if !ok {
					return
				}
				time.Sleep(time.Millisecond)
				q.done(item)
			}
		})
	}
	for _, item := range []string{"a", "b", "a", "c", "a"} {
		q.add(item)
	}
	q.shutDown()
	wg.Wait()
}
