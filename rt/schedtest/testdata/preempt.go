// Loops without calls must not keep others from running, nor the collector from stopping
// the world.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

var sink [8]int

func main() {
	stop := false
	var started atomic.Int32
	for i := range 8 {
		go func() {
			started.Add(1)
			x, f := 1, 1.5
			for !stop { // a data race on purpose: no call, no atomic
				x = x*31 + i
				f = f*1.0000001 + float64(x&1)
			}
			sink[i] = x + int(f)
		}()
	}
	for started.Load() < 8 {
		time.Sleep(time.Millisecond)
	}
	for range 20 {
		time.Sleep(time.Millisecond)
		runtime.GC()
	}
	fmt.Println("main ran")
}

// Output:
// main ran
