// Order, time: a channel says who is first.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var first atomic.Int32
	var wg sync.WaitGroup
	turn := make(chan bool)
	wg.Go(func() {
		time.Sleep(time.Millisecond)
		first.CompareAndSwap(0, 1)
		close(turn)
	})
	wg.Go(func() {
		time.Sleep(time.Millisecond + 20*time.Microsecond)
		<-turn
		first.CompareAndSwap(0, 2)
	})
	wg.Wait()
	if first.Load() != 1 {
		panic("the second was first")
	}
}
