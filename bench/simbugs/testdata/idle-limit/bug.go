// Order, timer: the limit begins anew with each beat, so that it never comes.
package main

import (
	"time"
)

// An idle limit that begins anew with each event of another kind.
func consume(events <-chan int, beats <-chan bool, idle time.Duration) (n int, late bool) {
	for {
		select {
		case _, ok := <-events:
			if !ok {
				return n, false
			}
			n++
		case <-beats:
		case <-time.After(idle):
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
