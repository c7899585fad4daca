// Blocking, channel: one value tells one of the two workers to stop; the other is never told.
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
	stop <- true
}
