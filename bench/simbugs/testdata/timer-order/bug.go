// Order, time: the goroutine with the shorter timer is taken to be first.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var first atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		time.Sleep(time.Millisecond)
		first.CompareAndSwap(0, 1)
	})
	wg.Go(func() {
		time.Sleep(time.Millisecond + 20*time.Microsecond)
		first.CompareAndSwap(0, 2)
	})
	wg.Wait()
	if first.Load() != 1 {
		panic("the second was first")
	}
}
