// Order, select: select chooses any arm that is ready: a job that came after the stop may be done.
package main

func main() {
	jobs, stop := make(chan int, 3), make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case j := <-jobs:
				if j < 0 {
					panic("a job that came after the stop")
				}
			}
		}
	}()
	jobs <- 1
	close(stop)
	jobs <- -1
	<-done
}
