// Check then act: two see one transport fail, and both replace it.
package main

import (
	"errors"
	"fmt"
	"sync"
)

// addrConn: a transport's failure is to replace the transport once, but two see it fail.
type transport struct{ broken chan struct{} }

type addrConn struct {
	mu    sync.Mutex
	cur   *transport
	dials int
}

func (a *addrConn) fail(tr *transport) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cur == nil {
		return errors.New("no transport")
	}
	close(a.cur.broken)
	a.cur = &transport{make(chan struct{})}
	a.dials++
	return nil
}

func (a *addrConn) get() *transport { a.mu.Lock(); defer a.mu.Unlock(); return a.cur }

func main() {
	a := &addrConn{cur: &transport{make(chan struct{})}}
	var wg sync.WaitGroup
	tr := a.get()
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := a.fail(tr); err != nil {
				panic(err)
			}
			<-tr.broken
		}()
	}
	wg.Wait()
	if a.dials != 1 {
		panic(fmt.Sprintf("%d dials for one failure", a.dials))
	}
}
