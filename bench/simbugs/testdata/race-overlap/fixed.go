// Data race, slice: they have none.
package main

import "sync"

func main() {
	squares := make([]int, 9)
	var wg sync.WaitGroup
	for _, from := range []int{0, 5} {
		wg.Go(func() {
			for i := from; i < min(from+5, 9); i++ {
				squares[i] = i * i
			}
		})
	}
	wg.Wait()
	if squares[4] != 16 {
		panic("wrong square")
	}
}
