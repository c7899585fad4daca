// Goroutines whose order a seed decides.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { turn(i) })
	}
	wg.Wait()
}

//go:noinline
func turn(number int) {
	fmt.Println("number", number)
}
