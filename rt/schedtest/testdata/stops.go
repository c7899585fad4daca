// Collects, which stops the world, again and again while goroutines spin on all Ps.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

//go:noinline
func spin(stop *atomic.Bool) {
	for !stop.Load() {
	}
}

func main() {
	var stop atomic.Bool
	for range 2 * runtime.GOMAXPROCS(0) {
		go spin(&stop)
	}
	for range 20 {
		runtime.GC()
	}
	stop.Store(true)
	fmt.Println("ok")
}

// Output:
// ok
