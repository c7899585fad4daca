// Blocking, channel: the channel has room for one notice.
package main

import (
	"sync/atomic"
)

func main() {
	notice := make(chan bool, 1)
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
