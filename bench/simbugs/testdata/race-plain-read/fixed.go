// Data race, atomic: it is read atomically.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var open int32
	var wg sync.WaitGroup
	wg.Go(func() { atomic.StoreInt32(&open, 1) })
	if atomic.LoadInt32(&open) > 1 {
		panic("more than open")
	}
	wg.Wait()
}
