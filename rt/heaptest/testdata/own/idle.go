package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// A program that waits and allocates nothing collects all the same, if it did once: with LOAMDEBUG=gcperiod=50. Without GOGC it does not.

type object struct {
	words [4]int
	p     *int
}

var called = make(chan bool)

//go:noinline
func drop() { runtime.SetFinalizer(&object{}, func(*object) { called <- true }) }

func main() {
	runtime.GC()
	drop()
	if os.Getenv("GOGC") == "off" {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		time.Sleep(300 * time.Millisecond)
		runtime.ReadMemStats(&after)
		fmt.Println(after.NumGC - before.NumGC)
		return
	}
	select {
	case <-called:
		fmt.Println("called")
	case <-time.After(time.Minute):
		fmt.Println("not called")
	}
}
