// Blocking, channel: the result comes after the time limit, and is sent to a channel that nobody
// reads.
package main

import (
	"time"
)

func ask(limit time.Duration) (int, bool) {
	result := make(chan int)
	go func() {
		time.Sleep(time.Millisecond)
		result <- 42
	}()
	select {
	case v := <-result:
		return v, true
	case <-time.After(limit):
		return 0, false
	}
}

func main() {
	ask(time.Millisecond)
	time.Sleep(10 * time.Millisecond)
}
