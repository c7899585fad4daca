// Blocking, channel: the channel is closed on every path.
package main

import (
	"sync/atomic"
)

func produce(out chan<- int, fail func() bool) {
	defer close(out)
	for i := range 3 {
		if fail() {
			return
		}
		out <- i
	}
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
