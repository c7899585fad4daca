// Blocking, channel: the client waits for the server's end, too.
package main

type request struct{ reply chan int }

func main() {
	requests := make(chan request, 1)
	quit := make(chan bool)
	gone := make(chan bool)
	go func() {
		defer close(gone)
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
	select {
	case <-r.reply:
	case <-gone:
	}
}
