// Order, timer: a timer of 0 stands for no limit, and fires at once.
package main

import (
	"time"
)

func wait(done <-chan bool, limit time.Duration) bool {
	expired := time.NewTimer(limit).C
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
