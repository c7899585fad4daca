// Blocking, channel: a poller that is told to stop leaves the probe behind whose answer it no
// longer takes.
package main

import "time"

func probe(answer chan<- bool) { answer <- true }

func poll(stop <-chan struct{}) {
	for {
		answer := make(chan bool)
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
