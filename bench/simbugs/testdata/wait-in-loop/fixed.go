// Blocking, WaitGroup: Wait stands behind the loop.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var wg sync.WaitGroup
	plugins := []string{"a", "b", "c"}
	var n atomic.Int32
	wg.Add(len(plugins))
	for range plugins {
		go func() {
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	if n.Load() != 3 {
		panic("not all were started")
	}
}
