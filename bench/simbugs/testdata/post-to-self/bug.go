// Blocking, channel: the loop that reads the queue also writes to it, and waits for itself when
// the queue is full.
package main

func main() {
	queue := make(chan int, 2)
	go func() {
		queue <- 2
		queue <- 0
	}()
	for left := 4; left > 0; left-- {
		v := <-queue
		for range v {
			queue <- 0
		}
	}
}
