// Data race, slice: two halves of a slice have an element in common.
package main

import "sync"

func main() {
	squares := make([]int, 9)
	var wg sync.WaitGroup
	for _, from := range []int{0, 4} {
		wg.Go(func() {
			for i := from; i < from+5; i++ {
				squares[i] = i * i
			}
		})
	}
	wg.Wait()
	if squares[4] != 16 {
		panic("wrong square")
	}
}
