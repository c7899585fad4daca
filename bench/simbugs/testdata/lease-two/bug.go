// Order, time: a leader whose lease has run out while it worked goes on as a leader.
package main

import (
	"sync"
	"time"
)

type lease struct {
	mu    sync.Mutex
	owner string
	until time.Time
	fence int
}

func (l *lease) take(who string, d time.Duration) (fence int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owner != "" && l.owner != who && time.Now().Before(l.until) {
		return 0, false
	}
	l.owner, l.until = who, time.Now().Add(d)
	l.fence++
	return l.fence, true
}

type table struct {
	mu    sync.Mutex
	fence int
	n     int
}

func (tb *table) write(fence, n int) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if fence < tb.fence {
		panic("an old leader has written")
	}
	tb.fence, tb.n = fence, n
}

func main() {
	l := &lease{}
	tb := &table{}
	var wg sync.WaitGroup
	for i, who := range []string{"a", "b"} {
		wg.Go(func() {
			for range 12 {
				if fence, ok := l.take(who, 20*time.Millisecond); ok {
					time.Sleep(15 * time.Millisecond) // work
					tb.write(fence, i)
				}
				time.Sleep(4 * time.Millisecond)
			}
		})
	}
	wg.Wait()
}
