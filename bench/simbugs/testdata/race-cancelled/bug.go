// Data race, context: what cancellation is to tell is written behind it.
package main

import (
	"context"
	"sync"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	reason := "stop"
	var wg sync.WaitGroup
	wg.Go(func() {
		<-ctx.Done()
		if reason == "" {
			panic("no reason")
		}
	})
	cancel()
	reason = "stopped"
	wg.Wait()
}
