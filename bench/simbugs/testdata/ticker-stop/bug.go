// Blocking, timer: Stop does not close a ticker's channel: a loop over it waits for ever.
package main

import (
	"sync/atomic"
	"time"
)

func main() {
	ticker := time.NewTicker(time.Millisecond)
	var n atomic.Int32
	go func() {
		for range ticker.C {
			n.Add(1)
		}
	}()
	time.Sleep(3 * time.Millisecond)
	ticker.Stop()
	time.Sleep(time.Millisecond)
}
