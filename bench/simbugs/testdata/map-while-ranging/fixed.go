// Order, map: a lock covers both.
package main

import (
	"sync"
)

func main() {
	stock := map[string]int{"a": 1, "b": 1, "c": 1}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
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
