// Atomicity, slice: several append to one slice.
package main

import (
	"sync"
)

func main() {
	var squares []int
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { squares = append(squares, i*i) })
	}
	wg.Wait()
	sum := 0
	for _, v := range squares {
		sum += v
	}
	if sum != 14 {
		panic("a square is lost")
	}
}
