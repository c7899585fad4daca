// Goroutines that wait in loops for what others do, or for time: they must not keep the only
// thread.
package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

func main() {
	var flag atomic.Bool
	go func() { flag.Store(true) }()
	for !flag.Load() {
	}
	plain := new(bool)
	go func() { *plain = true }()
	for !*plain {
	}
	late := new(bool)
	time.AfterFunc(time.Millisecond, func() { *late = true })
	for !*late {
	}
	for start := time.Now(); time.Since(start) < time.Millisecond; {
	}
	c := make(chan int)
	go func() {
		time.Sleep(time.Millisecond)
		c <- 1
	}()
	for {
		select {
		case <-c:
			fmt.Println("done")
			return
		default:
		}
	}
}
