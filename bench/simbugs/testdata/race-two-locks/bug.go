// Data race, mutex: two methods guard the same field by two locks.
package main

import "sync"

type account struct {
	in, out sync.Mutex
	last    string
}

func (a *account) pay() {
	a.in.Lock()
	a.last = "in"
	a.in.Unlock()
}

func (a *account) draw() {
	a.out.Lock()
	a.last = "out"
	a.out.Unlock()
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
