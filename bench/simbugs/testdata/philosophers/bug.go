// Blocking, mutex: everybody takes the fork to the left first, so that four can hold one each and
// wait.
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
		wg.Go(func() {
			forks[left].Lock()
			forks[right].Lock()
			forks[right].Unlock()
			forks[left].Unlock()
		})
	}
	wg.Wait()
}
