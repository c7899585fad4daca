// Check then act, channel and context: a connection that is handed to one who has just given up is
// lost.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type conn struct{ id int }

type pool struct {
	mu    sync.Mutex
	free  []*conn
	reqs  map[uint64]chan *conn
	next  uint64
	open  int
	limit int
}

func (p *pool) get(ctx context.Context) (*conn, error) {
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	if p.open < p.limit {
		p.open++
		c := &conn{p.open}
		p.mu.Unlock()
		return c, nil
	}
	req := make(chan *conn, 1)
	key := p.next
	p.next++
	p.reqs[key] = req
	p.mu.Unlock()
	select {
	case c := <-req:
		return c, nil
	case <-ctx.Done():
		p.mu.Lock()
		delete(p.reqs, key)
		p.mu.Unlock()
		return nil, ctx.Err()
	}
}

func (p *pool) put(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, req := range p.reqs {
		delete(p.reqs, key)
		req <- c
		return
	}
	p.free = append(p.free, c)
}

func main() {
	p := &pool{reqs: map[uint64]chan *conn{}, limit: 2}
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(2+i)*time.Millisecond)
			defer cancel()
			c, err := p.get(ctx)
			if errors.Is(err, context.DeadlineExceeded) {
				return
			}
			time.Sleep(3 * time.Millisecond)
			p.put(c)
		})
	}
	wg.Wait()
	if len(p.free) != p.open {
		panic(fmt.Sprintf("%d of %d connections are back", len(p.free), p.open))
	}
}
