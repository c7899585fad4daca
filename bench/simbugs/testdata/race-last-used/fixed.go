// Data race, time: it is an atomic number.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type entry struct{ used atomic.Int64 }

func (e *entry) touch() { e.used.Store(time.Now().UnixNano()) }

func main() {
	var e entry
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(e.touch)
	}
	wg.Wait()
	if e.used.Load() == 0 {
		panic("never used")
	}
}
