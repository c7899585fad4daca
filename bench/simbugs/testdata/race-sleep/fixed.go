// Data race, time: a channel says that it is ready.
package main

import "time"

func main() {
	name := ""
	ready := make(chan bool, 1)
	go func() {
		name = "ready"
		ready <- true
	}()
	time.Sleep(time.Hour)
	<-ready
	if name != "ready" {
		panic("not ready")
	}
}
