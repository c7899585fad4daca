// Blocking, channel: the server may choose to quit although a request is in its queue, whose
// sender then waits for ever.
package main

type request struct{ reply chan int }

func main() {
	requests := make(chan request, 1)
	quit := make(chan bool)
	go func() {
		for {
			select {
			case r := <-requests:
				r.reply <- 1
			case <-quit:
				return
			}
		}
	}()
	go close(quit)
	r := request{make(chan int, 1)}
	requests <- r
	<-r.reply
}
