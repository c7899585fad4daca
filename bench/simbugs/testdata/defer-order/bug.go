// Order, defer: the end is announced before the result is there: deferred calls run last in, first
// out.
package main

import (
	"sync/atomic"
)

func main() {
	var result atomic.Int32
	done := make(chan bool)
	go func() {
		defer result.Store(1)
		defer close(done)
	}()
	<-done
	if result.Load() != 1 {
		panic("no result")
	}
}
