package main

import (
	"fmt"
	"runtime"
	"sync"
)

// A goroutine that makes many others runnable lets them have their turns before it makes more: a million that end at once need the
// memory of some hundred. The same holds for one that wakes many.
func main() {
	runtime.GOMAXPROCS(1)
	var before, after runtime.MemStats
	var wg sync.WaitGroup
	run := func(n int) {
		for range n {
			wg.Go(func() {})
		}
		wg.Wait()
	}
	run(1000)
	runtime.ReadMemStats(&before)
	run(1_000_000)
	runtime.ReadMemStats(&after)
	if grown := after.StackSys - before.StackSys; int64(grown) > 4<<20 {
		fmt.Println("stacks grew by", grown, "bytes")
	}

	// The closer is not starved either: those that it wakes yield for ever.
	const n = 2000
	start, stop := make(chan int), make(chan int)
	for range n {
		wg.Go(func() {
			<-start
			for {
				select {
				case <-stop:
					return
				default:
					runtime.Gosched()
				}
			}
		})
	}
	for range 10 {
		runtime.Gosched()
	}
	close(start)
	close(stop)
	wg.Wait()
	fmt.Println("done")
}

// Output:
// done
