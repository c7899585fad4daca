// Data race, atomic: what is written atomically is read plainly.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var open int32
	var wg sync.WaitGroup
	wg.Go(func() { atomic.StoreInt32(&open, 1) })
	if open > 1 {
		panic("more than open")
	}
	wg.Wait()
}
