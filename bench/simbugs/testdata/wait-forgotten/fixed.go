// Order: it is waited for.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var sum atomic.Int64
	var wg sync.WaitGroup
	parts := make(chan int)
	wg.Add(1)
	go func() {
		defer wg.Done()
		for v := range parts {
			sum.Add(int64(v))
		}
	}()
	for v := range 4 {
		parts <- v
	}
	close(parts)
	wg.Wait()
	if sum.Load() != 6 {
		panic("too early")
	}
}
