package main

import "time"

func main() {
	c := make(chan int)
	go func() {
		time.Sleep(10 * time.Millisecond)
		c <- 1
		<-c
	}()
	<-c
	println("got one")
	<-c
	<-c
}

// Output:
// got one
// fatal error: all goroutines are asleep - deadlock!
// goroutine 1 [chan receive]:
// Exit: 2
