// Blocking, channel: a sender that sends only if somebody reads loses the notice when the reader is not
// there yet.
package main

import (
	"sync/atomic"
)

func main() {
	notice := make(chan bool)
	var ready atomic.Bool
	go func() {
		ready.Store(true)
		select {
		case notice <- true:
		default:
		}
	}()
	for !ready.Load() {
		<-notice
	}
}
