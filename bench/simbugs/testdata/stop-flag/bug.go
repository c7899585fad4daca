// Check then act: the worker sees that it may go on, and the resource goes before it uses it.
package main

import (
	"sync"
	"sync/atomic"
)

type file struct {
	mu   sync.RWMutex
	open atomic.Bool
	data atomic.Pointer[[]byte]
}

func (f *file) read() int {
	if !f.open.Load() {
		return 0
	}
	return len(*f.data.Load())
}

func (f *file) close() {
	f.open.Store(false)
	f.data.Store(nil)
}

func main() {
	f := &file{}
	f.data.Store(&[]byte{1})
	f.open.Store(true)
	var wg sync.WaitGroup
	wg.Go(func() { f.read() })
	wg.Go(f.close)
	wg.Wait()
}
