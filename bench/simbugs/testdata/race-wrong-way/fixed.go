// Data race, channel: the channel has no room.
package main

import "sync"

func main() {
	text := "old"
	read := make(chan bool)
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
