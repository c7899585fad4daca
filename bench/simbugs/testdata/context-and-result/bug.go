// Order, context: the permit comes together with the cancellation, which is chosen, and the permit
// is lost.
package main

import (
	"context"
)

type pool struct{ permits chan int }

func (p *pool) get(ctx context.Context) (int, error) {
	got := make(chan int)
	go func() {
		v := <-p.permits
		select {
		case got <- v:
		case <-ctx.Done():
		}
	}()
	select {
	case v := <-got:
		return v, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func main() {
	p := &pool{make(chan int, 1)}
	p.permits <- 1
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if v, err := p.get(ctx); err == nil {
		p.permits <- v
	}
	v := <-p.permits
	p.permits <- v
}
