// Atomicity: several add to a counter without a lock.
package main

import (
	"sync"
)

func main() {
	n := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 3 {
				n++
			}
		})
	}
	wg.Wait()
	if n != 9 {
		panic("lost")
	}
}
