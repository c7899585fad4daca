// Order, time: a long sleep stands for waiting.
package main

import (
	"sync"
	"time"
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
	time.Sleep(50 * time.Millisecond)
	mu.Lock()
	n := len(log)
	mu.Unlock()
	<-done
	if n != 3 {
		panic("too early")
	}
}
