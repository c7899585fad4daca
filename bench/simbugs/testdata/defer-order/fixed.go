// Order, defer: the end is announced last.
package main

import (
	"sync/atomic"
)

func main() {
	var result atomic.Int32
	done := make(chan bool)
	go func() {
		defer close(done)
		defer result.Store(1)
	}()
	<-done
	if result.Load() != 1 {
		panic("no result")
	}
}
