// Goroutines that make one system call after the other, each too short for the monitor to take the
// P from it, and long enough that it seldom meets them outside of one: others get their turns.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	var calls, turns atomic.Int64
	var stop atomic.Bool
	var all sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for !stop.Load() && calls.Add(1) < 60_000 {
				syscall.Nanosleep(&syscall.Timespec{Nsec: 50_000}, nil)
			}
		})
	}
	time.Sleep(100 * time.Millisecond) // until the monitor's rounds are far apart
	for turns.Load() < 30 {
		runtime.Gosched()
		turns.Add(1)
	}
	if calls.Load() >= 60_000 {
		fmt.Println(turns.Load(), "turns")
	}
	stop.Store(true)
	all.Wait()
	fmt.Println("ok")
}

// Output:
// ok
