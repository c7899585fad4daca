// Data race, channel: a send to a channel with room does not wait for the receiver.
package main

import "sync"

func main() {
	text := "old"
	read := make(chan bool, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		if text == "" {
			panic("no text")
		}
		<-read
	})
	read <- true
	text = "new"
	wg.Wait()
}
