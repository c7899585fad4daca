// Order, WaitGroup: Add is called before the go statement.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var wg sync.WaitGroup
	var n atomic.Int32
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	if n.Load() != 3 {
		panic("not all are done")
	}
}
