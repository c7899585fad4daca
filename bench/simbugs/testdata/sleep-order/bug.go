// Order, time: a sleep stands for waiting.
package main

import (
	"sync/atomic"
	"time"
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
	time.Sleep(100 * time.Microsecond)
	if !ready.Load() {
		panic("not ready")
	}
	<-done
}
