// Data race, mutex: both take one lock.
package main

import "sync"

type account struct {
	mu   sync.Mutex
	last string
}

func (a *account) pay() {
	a.mu.Lock()
	a.last = "in"
	a.mu.Unlock()
}

func (a *account) draw() {
	a.mu.Lock()
	a.last = "out"
	a.mu.Unlock()
}

func main() {
	var a account
	var wg sync.WaitGroup
	wg.Go(a.pay)
	wg.Go(a.draw)
	wg.Wait()
	if a.last == "" {
		panic("nothing")
	}
}
