// Data race, slice: two requests use one buffer, and happen to write the same into it.
package main

import "sync"

var scratch [16]byte

func render(n int) int {
	text := append(scratch[:0], "ok "...)
	return len(append(text, "done"...)) + n
}

func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if render(i) != 7+i {
				panic("wrong text")
			}
		})
	}
	wg.Wait()
}
