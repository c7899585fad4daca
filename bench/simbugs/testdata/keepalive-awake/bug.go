// Blocking, mutex: the keep-alive loop of a transport returns with the lock held when the
// connection has been closed while it slept.
package main

import (
	"fmt"
	"sync"
	"time"
)

type transport struct {
	mu      sync.Mutex
	closed  bool
	streams int
	awake   chan struct{}
	done    chan struct{}
}

func (t *transport) keepalive() {
	timer := time.NewTimer(10 * time.Millisecond)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			t.mu.Lock()
			if t.streams < 1 {
				t.mu.Unlock()
				select {
				case <-t.awake:
				case <-t.done:
					return
				}
			} else {
				if t.closed {
					return
				}
				t.mu.Unlock()
			}
			timer.Reset(10 * time.Millisecond)
		case <-t.done:
			return
		}
	}
}

func (t *transport) open() {
	t.mu.Lock()
	t.streams++
	if t.streams == 1 {
		select {
		case t.awake <- struct{}{}:
		default:
		}
	}
	t.mu.Unlock()
}

func (t *transport) finish() {
	t.mu.Lock()
	t.streams--
	t.mu.Unlock()
}

func (t *transport) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	time.Sleep(time.Millisecond) // say goodbye
	close(t.done)
}

func main() {
	tr := &transport{awake: make(chan struct{}, 1), done: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); tr.keepalive() }()
	go func() {
		defer wg.Done()
		for range 3 {
			tr.open()
			time.Sleep(8 * time.Millisecond)
		}
		tr.close()
		for range 3 {
			tr.finish()
		}
	}()
	wg.Wait()
	if tr.streams != 0 {
		panic(fmt.Sprint(tr.streams))
	}
}
