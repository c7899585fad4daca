// Blocking, timer: the timer's value may have been read already when its channel is drained.
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
		if !timer.Stop() {
			<-timer.C
		}
		timer.Reset(time.Millisecond)
	}
}
