// Atomicity: it is behind a pointer that is replaced.
package main

import (
	"sync"
	"sync/atomic"
)

type point struct{ x, y int }

func main() {
	var p atomic.Pointer[point]
	p.Store(&point{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 3 {
			p.Store(&point{i, i})
		}
	})
	wg.Go(func() {
		q := *p.Load()
		if q.x != q.y {
			panic("half a point")
		}
	})
	wg.Wait()
}
