// Blocking, semaphore: each takes two permits of two, one after the other: both may hold one.
package main

import (
	"sync"
)

func main() {
	permits := make(chan bool, 2)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			permits <- true
			permits <- true
			<-permits
			<-permits
		})
	}
	wg.Wait()
}
