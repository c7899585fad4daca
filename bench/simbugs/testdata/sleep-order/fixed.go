// Order, time: a channel does.
package main

import (
	"sync/atomic"
)

func main() {
	var ready atomic.Bool
	done := make(chan bool)
	go func() {
		for i := range 3 {
			ready.Store(i == 2)
		}
		close(done)
	}()
	<-done
	if !ready.Load() {
		panic("not ready")
	}
	<-done
}
