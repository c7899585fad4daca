// Order: an older version never takes the place of a newer one.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

type source struct{ version atomic.Int64 }

func (s *source) fetch() int64 {
	v := s.version.Load()
	time.Sleep(time.Duration(2+v%2) * time.Millisecond)
	return v
}

type entry struct {
	mu    sync.Mutex
	value int64
	s     *source
	wg    sync.WaitGroup
}

func (e *entry) refresh() {
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		v := e.s.fetch()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.value = max(e.value, v)
	}()
}

func main() {
	s := &source{}
	e := &entry{s: s}
	for range 4 {
		s.version.Add(1)
		e.refresh()
		time.Sleep(1500 * time.Microsecond)
	}
	e.wg.Wait()
	if e.value != 4 {
		panic(fmt.Sprintf("version %d is cached", e.value))
	}
}
