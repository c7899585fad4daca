// Blocking, channel: the close is deferred.
package main

import (
	"sync/atomic"
	"time"
)

func work(jobs []int, stop *atomic.Bool) {
	queue := make(chan int)
	defer close(queue)
	for range 2 {
		go func() {
			for range queue {
			}
		}()
	}
	for _, j := range jobs {
		if stop.Load() {
			return
		}
		queue <- j
	}
}

func main() {
	var stop atomic.Bool
	go stop.Store(true)
	work([]int{1, 2, 3}, &stop)
	time.Sleep(time.Millisecond)
}
