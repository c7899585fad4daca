// Order, map: the sum is taken over a map that is changed meanwhile.
package main

import (
	"sync"
)

func main() {
	stock := map[string]int{"a": 1, "b": 1, "c": 1}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		stock["a"]--
		stock["c"]++
	})
	wg.Go(func() {
		n := 0
		mu.Lock()
		for _, v := range stock {
			n += v
		}
		mu.Unlock()
		if n != 3 {
			panic("the sum is wrong")
		}
	})
	wg.Wait()
}
