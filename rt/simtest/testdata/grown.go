package main

import (
	"fmt"
	"runtime"
	"sync"
)

// What has the collector of a real run take other threads: much to mark, much to give back, and
// many goroutines that are gone.

var kept []*[128]*int

func main() {
	for range 4 << 10 {
		kept = append(kept, new([128]*int))
	}
	free := make([]byte, 64<<20)
	free[len(free)-1] = 1
	runtime.KeepAlive(free)
	free = nil

	var all sync.WaitGroup
	gate := make(chan bool)
	for range 20_000 {
		all.Go(func() { <-gate })
	}
	runtime.Gosched()
	close(gate)
	all.Wait()

	for range 5 {
		runtime.GC()
	}
	fmt.Println(len(kept))
}
