// Data race, select: the result comes by the channel.
package main

import "time"

func work(done chan<- int) {
	time.Sleep(time.Millisecond)
	done <- 1
}

func get() (result int) {
	done := make(chan int, 1)
	go work(done)
	select {
	case result = <-done:
	case <-time.After(time.Millisecond):
	}
	return result
}

func main() {
	if get() > 1 {
		panic("no result")
	}
	time.Sleep(time.Second)
}
