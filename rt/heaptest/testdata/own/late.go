package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// A program in which nothing is allocated is collected now and then (here every 20 ms), once there
// was a collection.
func main() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if before.NumGC != 0 {
		fmt.Println("collected before the first collection")
		os.Exit(1)
	}
	runtime.GC()
	dead := make(chan bool)
	drop(dead)
	switch late := time.After(time.Hour); os.Getenv("LATE") {
	case "busy":
		for waiting := true; waiting; {
			select {
			case <-dead:
				waiting = false
			case <-late:
				os.Exit(2)
			default:
			}
		}
	default:
		select {
		case <-dead:
		case <-late:
			os.Exit(2)
		}
	}
	runtime.ReadMemStats(&after)
	if after.NumGC < 2 || after.NumForcedGC != 1 {
		fmt.Println(after.NumGC, "collections,", after.NumForcedGC, "of them asked for")
		os.Exit(1)
	}
}

//go:noinline
func drop(dead chan bool) {
	p := new([4]int)
	runtime.AddCleanup(p, func(c chan bool) { c <- true }, dead)
}
