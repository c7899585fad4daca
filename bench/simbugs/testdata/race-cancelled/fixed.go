// Data race, context: it is written before.
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
	reason = "stopped"
	cancel()
	wg.Wait()
}
