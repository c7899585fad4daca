// Blocking, mutex: the last one takes the forks in the other order.
package main

import (
	"sync"
)

func main() {
	const n = 4
	var forks [n]sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		left, right := i, (i+1)%n
		if left > right {
			left, right = right, left
		}
		wg.Go(func() {
			forks[left].Lock()
			forks[right].Lock()
			forks[right].Unlock()
			forks[left].Unlock()
		})
	}
	wg.Wait()
}
