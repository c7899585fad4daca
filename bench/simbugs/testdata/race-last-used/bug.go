// Data race, time: each user notes when it was used last.
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
