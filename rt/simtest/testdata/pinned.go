package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	_ "unsafe"
)

// A goroutine that is pinned is not interrupted, whatever it does meanwhile.

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

var (
	first, second int
	both          atomic.Int64
	apart         int
)

func main() {
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 20 {
				procPin()
				first++
				both.Add(1)
				second++
				if first != second || both.Load() != int64(first) {
					apart++
				}
				procUnpin()
			}
		})
	}
	all.Wait()
	fmt.Println(first, second, apart)
	if apart > 0 {
		os.Exit(1)
	}
}
