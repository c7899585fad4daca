// Data race, semaphore: there is one permit.
package main

import "sync"

func main() {
	permits := make(chan bool, 1)
	last := 0
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			permits <- true
			last = i
			<-permits
		})
	}
	wg.Wait()
	if last > 2 {
		panic("who?")
	}
}
