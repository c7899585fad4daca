// Order, time: a channel does.
package main

import (
	"sync"
)

func main() {
	var mu sync.Mutex
	var log []string
	done := make(chan bool)
	go func() {
		for _, s := range []string{"a", "b", "c"} {
			mu.Lock()
			log = append(log, s)
			mu.Unlock()
		}
		close(done)
	}()
	<-done
	mu.Lock()
	n := len(log)
	mu.Unlock()
	<-done
	if n != 3 {
		panic("too early")
	}
}
