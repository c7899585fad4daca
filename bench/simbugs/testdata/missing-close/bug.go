// Blocking, channel: nobody closes the channel when a source fails, so the reader waits for ever.
package main

import (
	"sync/atomic"
)

func produce(out chan<- int, fail func() bool) {
	for i := range 3 {
		if fail() {
			return
		}
		out <- i
	}
	close(out)
}

func main() {
	var down atomic.Bool
	out := make(chan int)
	go down.Store(true)
	go produce(out, down.Load)
	sum := 0
	for v := range out {
		sum += v
	}
	if sum > 3 {
		panic("too much")
	}
}
