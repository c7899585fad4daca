// Atomicity: a value of two words is read while it is written.
package main

import (
	"sync"
)

type point struct{ x, y int }

func main() {
	var p point
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 3 {
			p.x = i
			p.y = i
		}
	})
	wg.Go(func() {
		q := p
		if q.x != q.y {
			panic("half a point")
		}
	})
	wg.Wait()
}
