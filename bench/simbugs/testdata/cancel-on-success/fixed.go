// Blocking, context: cancel is deferred.
package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

func watch(ctx context.Context, fail bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { <-ctx.Done() }()
	if fail {
		return errors.New("no")
	}
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
