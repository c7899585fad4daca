// Data race, channel: it receives.
package main

import "time"

func main() {
	value := 0
	ready := make(chan bool, 1)
	go func() {
		value = 1
		ready <- true
	}()
	for len(ready) == 0 {
		time.Sleep(time.Millisecond)
	}
	<-ready
	if value != 1 {
		panic("no value")
	}
}
