// Data race, slice: each has a buffer.
package main

import "sync"

func render(n int) int {
	var scratch [16]byte
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
