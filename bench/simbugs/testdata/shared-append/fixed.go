// Atomicity, slice: each has its own element.
package main

import (
	"sync"
)

func main() {
	squares := make([]int, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { squares[i] = i * i })
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
