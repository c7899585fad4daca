// Blocking, channel and context: the generator sends without looking whether its reader is still
// there.
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
			out <- i
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
