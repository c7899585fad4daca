// Blocking, timer: there is a channel that says so.
package main

import (
	"sync/atomic"
	"time"
)

func main() {
	ticker := time.NewTicker(time.Millisecond)
	quit := make(chan bool)
	var n atomic.Int32
	go func() {
		for {
			select {
			case <-ticker.C:
				n.Add(1)
			case <-quit:
				return
			}
		}
	}()
	time.Sleep(3 * time.Millisecond)
	ticker.Stop()
	close(quit)
	time.Sleep(time.Millisecond)
}
