// Data race, buffer: two write to a bytes.Buffer.
package main

import (
	"bytes"
	"sync"
)

func main() {
	var b bytes.Buffer
	b.Grow(64)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { b.WriteByte('x') })
	}
	wg.Wait()
	if b.Len() > 2 {
		panic("too much")
	}
}
