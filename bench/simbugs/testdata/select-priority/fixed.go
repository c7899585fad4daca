// Order, select: the stop is looked at again before the job is done.
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
				select {
				case <-stop:
					return
				default:
				}
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
