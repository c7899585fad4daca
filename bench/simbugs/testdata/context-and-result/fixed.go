// Order, context: a goroutine that gives up gives back the permit that came meanwhile.
package main

import (
	"context"
)

type pool struct{ permits chan int }

func (p *pool) get(ctx context.Context) (int, error) {
	got := make(chan int, 1)
	go func() {
		got <- <-p.permits
	}()
	select {
	case v := <-got:
		return v, nil
	case <-ctx.Done():
		go func() { p.permits <- <-got }()
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
