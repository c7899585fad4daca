// Order, timer: there is one timer for the whole wait.
package main

import (
	"time"
)

// An idle limit that begins anew with each event of another kind.
func consume(events <-chan int, beats <-chan bool, idle time.Duration) (n int, late bool) {
	deadline := time.After(idle)
	for {
		select {
		case _, ok := <-events:
			if !ok {
				return n, false
			}
			n++
		case <-beats:
		case <-deadline:
			return n, true
		}
	}
}

func main() {
	events, beats := make(chan int), make(chan bool)
	stop := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				select {
				case beats <- true:
				case <-stop:
					return
				}
			case <-stop:
				return
			}
		}
	}()
	done := make(chan bool)
	go func() {
		_, late := consume(events, beats, 5*time.Millisecond)
		done <- late
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		panic("no limit")
	}
	close(stop)
}
