// Two goroutines take two locks in different orders.
package main

import "sync"

func main() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	})
	wg.Go(func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	wg.Wait()
}
