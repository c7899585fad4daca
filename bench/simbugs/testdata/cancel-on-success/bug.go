// Blocking, context: the context is cancelled only when all went well, so the watcher stays after
// an error.
package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

func watch(ctx context.Context, fail bool) error {
	ctx, cancel := context.WithCancel(ctx)
	go func() { <-ctx.Done() }()
	if fail {
		return errors.New("no")
	}
	cancel()
	return nil
}

func main() {
	var down atomic.Bool
	go down.Store(true)
	for range 2 {
		watch(context.Background(), down.Load())
	}
	time.Sleep(time.Millisecond)
}
