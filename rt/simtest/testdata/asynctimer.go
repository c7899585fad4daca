// Timers whose channels have a buffer run code of package time when they are due.
package main

import (
	"fmt"
	"time"
)

func main() {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for range 50 {
		select {
		case <-ticker.C:
		case <-time.After(time.Millisecond):
		}
	}
	fmt.Println("done", cap(ticker.C))
}
