// Data race, time: when it was used last is noted by whoever uses it.
package main

import (
	"sync"
	"time"
)

type entry struct{ used time.Time }

func (e *entry) touch() { e.used = time.Now() }

func main() {
	var e entry
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(e.touch)
	}
	wg.Wait()
	if e.used.IsZero() {
		panic("never used")
	}
}
