// Blocking, channel: a probe can always give its answer, so the poller may go on until it is told
// to stop, however late that is.
package main

import "time"

func probe(answer chan<- bool) { answer <- true }

func poll(stop <-chan struct{}) {
	for {
		answer := make(chan bool, 1)
		go probe(answer)
		select {
		case <-answer:
		case <-stop:
			return
		}
	}
}

func main() {
	stop := make(chan struct{})
	go poll(stop)
	stop <- struct{}{}
	time.Sleep(time.Millisecond)
}
