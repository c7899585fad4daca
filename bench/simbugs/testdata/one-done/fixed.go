// Blocking, channel: the channel is closed.
package main

func main() {
	stop := make(chan bool)
	jobs := make(chan int)
	for range 2 {
		go func() {
			for {
				select {
				case <-jobs:
				case <-stop:
					return
				}
			}
		}()
	}
	jobs <- 1
	close(stop)
}
