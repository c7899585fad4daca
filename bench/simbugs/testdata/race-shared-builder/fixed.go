// Data race, buffer: a lock is around the buffer.
package main

import (
	"bytes"
	"sync"
)

func main() {
	var mu sync.Mutex
	var b bytes.Buffer
	b.Grow(64)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			b.WriteByte('x')
		})
	}
	wg.Wait()
	if b.Len() > 2 {
		panic("too much")
	}
}
