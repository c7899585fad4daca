// Blocking, channel: a closed channel tells the stages to stop.
package main

import (
	"time"
)

func stage(quit chan bool, in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for v := range in {
			select {
			case out <- v + 1:
			case <-quit:
				return
			}
		}
	}()
	return out
}

func main() {
	quit := make(chan bool)
	in := make(chan int, 4)
	for i := range 4 {
		in <- i
	}
	close(in)
	for v := range stage(quit, stage(quit, in)) {
		if v == 4 {
			break
		}
	}
	close(quit)
	time.Sleep(time.Millisecond)
}
