// Order, context: the work in the background has the request's context, which ends with the
// answer.
package main

import (
	"context"
)

func handle(ctx context.Context, report chan<- error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		report <- write(ctx)
	}()
}

func write(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	default:
		return nil
	}
}

func main() {
	report := make(chan error)
	handle(context.Background(), report)
	if <-report != nil {
		panic("cancelled with the request")
	}
}
