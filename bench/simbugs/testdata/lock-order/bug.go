// Blocking, mutex: two transfers in opposite directions lock the same two accounts, each its own
// first.
package main

import (
	"sync"
)

type account struct {
	id, n int
	mu    sync.Mutex
}

func transfer(from, to *account, n int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.n -= n
	to.n += n
}

func main() {
	a, b := &account{id: 1, n: 100}, &account{id: 2, n: 100}
	var wg sync.WaitGroup
	wg.Go(func() { transfer(a, b, 10) })
	wg.Go(func() { transfer(b, a, 20) })
	wg.Wait()
	if a.n != 110 || b.n != 90 {
		panic("money is lost")
	}
}
