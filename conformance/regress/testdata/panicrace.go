package main

import (
	"runtime"
	"sync"
)

// A main function that returned while another goroutine's panic ran its deferred calls ended the program with status 0 more often than not.
func main() {
	runtime.GOMAXPROCS(1) // so that the two take turns
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer func() {
			wg.Done()
			for range 100 {
				runtime.Gosched()
			}
		}()
		panic("crash")
	}()
	wg.Wait()
}
