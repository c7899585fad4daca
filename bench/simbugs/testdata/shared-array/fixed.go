// Order, slice: the slice's capacity ends where its elements do.
package main

import (
	"sync"
)

func main() {
	base := make([]string, 1, 4)
	base[0] = "run"
	base = base[:1:1]
	var wg sync.WaitGroup
	for _, arg := range []string{"a", "b"} {
		wg.Go(func() {
			args := append(base, arg)
			if args[1] != arg {
				panic("the other's argument")
			}
		})
	}
	wg.Wait()
}
