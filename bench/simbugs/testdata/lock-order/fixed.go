// Blocking, mutex: the account with the lower number is locked first.
package main

import (
	"sync"
)

type account struct {
	id, n int
	mu    sync.Mutex
}

func transfer(from, to *account, n int) {
	first, second := from, to
	if first.id > second.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
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
