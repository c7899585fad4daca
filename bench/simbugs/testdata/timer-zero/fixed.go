// Order, timer: without a limit there is no timer.
package main

import (
	"time"
)

func wait(done <-chan bool, limit time.Duration) bool {
	var expired <-chan time.Time
	if limit > 0 {
		expired = time.NewTimer(limit).C
	}
	select {
	case <-done:
		return true
	case <-expired:
		return false
	}
}

func main() {
	done := make(chan bool, 1)
	go func() { done <- true }()
	if !wait(done, 0) {
		panic("expired without a limit")
	}
}
