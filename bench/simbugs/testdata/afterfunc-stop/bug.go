// Order, context: what AfterFunc runs is still under way when its stop function says so, and the
// resource is closed.
package main

import (
	"context"
	"sync"
	"time"
)

type resource struct {
	mu     sync.Mutex
	closed bool
}

func (r *resource) interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		panic("interrupted behind its close")
	}
}

func (r *resource) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

func use(ctx context.Context, r *resource) {
	done := make(chan bool)
	stop := context.AfterFunc(ctx, func() {
		r.interrupt()
		close(done)
	})
	time.Sleep(time.Millisecond)
	stop()
	r.close()
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 1100*time.Microsecond)
	defer cancel()
	use(ctx, &resource{})
	time.Sleep(5 * time.Millisecond)
}
