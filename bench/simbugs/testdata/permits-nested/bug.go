// Blocking, semaphore and context: a query in a transaction needs a second connection of two.
package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A pool of two connections; a query inside of a transaction takes another connection.
type pool struct {
	free chan int
}

func (p *pool) get(ctx context.Context) (int, error) {
	select {
	case c := <-p.free:
		return c, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
func (p *pool) put(c int) { p.free <- c }

func (p *pool) tx(ctx context.Context, fn func(conn int) error) error {
	c, err := p.get(ctx)
	if err != nil {
		return err
	}
	defer p.put(c)
	return fn(c)
}

func main() {
	p := &pool{free: make(chan int, 2)}
	p.free <- 1
	p.free <- 2
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			err := p.tx(ctx, func(conn int) error {
				return p.tx(ctx, func(int) error { return nil })
			})
			if errors.Is(err, context.DeadlineExceeded) {
				panic("no connection for a minute")
			}
		}()
	}
	wg.Wait()
}
