// Atomicity: the balance is read and written under a lock, but not in one piece.
package main

import (
	"sync"
)

type account struct {
	mu sync.Mutex
	n  int
}

func (a *account) get() int  { a.mu.Lock(); defer a.mu.Unlock(); return a.n }
func (a *account) set(v int) { a.mu.Lock(); defer a.mu.Unlock(); a.n = v }
func (a *account) add(v int) { a.mu.Lock(); defer a.mu.Unlock(); a.n += v }

func main() {
	var a account
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { a.set(a.get() + 1) })
	}
	wg.Wait()
	if a.get() != 2 {
		panic("lost")
	}
}
