// Blocking, timer: a stopped timer's channel needs no draining.
package main

import (
	"time"
)

func main() {
	work := make(chan bool)
	go func() {
		for range 2 {
			time.Sleep(time.Millisecond)
			work <- true
		}
	}()
	timer := time.NewTimer(time.Millisecond)
	for n := 0; n < 2; {
		select {
		case <-work:
			n++
		case <-timer.C:
		}
		timer.Stop()
		timer.Reset(time.Millisecond)
	}
}
