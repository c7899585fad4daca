// Order: the result is read before the one who makes it is done.
package main

import (
	"sync/atomic"
)

func main() {
	var sum atomic.Int64
	parts := make(chan int)
	go func() {
		for v := range parts {
			sum.Add(int64(v))
		}
	}()
	for v := range 4 {
		parts <- v
	}
	close(parts)
	if sum.Load() != 6 {
		panic("too early")
	}
}
