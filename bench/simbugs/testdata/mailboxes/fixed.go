// Blocking, channel: an actor reads while it waits for room.
package main

import (
	"sync"
)

func actor(in <-chan int, out chan<- int) {
	for sent, got := 0, 0; sent+got < 4; {
		send, receive := out, in
		if sent == 2 {
			send = nil
		}
		if got == 2 {
			receive = nil
		}
		select {
		case send <- 1:
			sent++
		case <-receive:
			got++
		}
	}
}

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { actor(a, b) })
	wg.Go(func() { actor(b, a) })
	wg.Wait()
}
