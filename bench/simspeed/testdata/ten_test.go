package ten

import (
	"sync"
	"testing"
)

// TestTen has ten goroutines that take a lock and send: some 1,000 decisions.
func TestTen(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	ch := make(chan int, 4)
	n := 0
	for i := range 9 {
		wg.Go(func() {
			for range 9 {
				mu.Lock()
				n++
				mu.Unlock()
				ch <- i
			}
		})
	}
	go func() {
		wg.Wait()
		close(ch)
	}()
	got := 0
	for range ch {
		got++
	}
	if got != 81 || n != 81 {
		t.Errorf("%d came, of %d", got, n)
	}
}
