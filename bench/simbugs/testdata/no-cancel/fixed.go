// Blocking, channel and context: it looks at the context, too.
package main

import (
	"context"
	"time"
)

func numbers(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 0; ctx.Err() == nil; i++ {
			select {
			case out <- i:
			case <-ctx.Done():
			}
		}
	}()
	return out
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	for v := range numbers(ctx) {
		if v == 5 {
			break
		}
	}
	cancel()
	time.Sleep(time.Millisecond)
}
