// Blocking, channel: two actors with full mailboxes send to each other, and neither reads.
package main

import (
	"sync"
)

func actor(in <-chan int, out chan<- int) {
	for range 2 {
		out <- 1
	}
	for range 2 {
		<-in
	}
}

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { actor(a, b) })
	wg.Go(func() { actor(b, a) })
	wg.Wait()
}
