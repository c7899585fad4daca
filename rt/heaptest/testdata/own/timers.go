// A burst of timers leaves nothing behind: not their memory, and not that of the heaps that they were
// in, which would be scanned and counted in the goal for ever. Timers that are left fire in order.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

func stats() (m runtime.MemStats) {
	for range 4 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m
}

func main() {
	before := stats()
	for round := range 3 {
		const n = 300_000
		ts := make([]*time.Timer, n)
		var fired sync.WaitGroup
		var lock sync.Mutex
		var last int
		for i := range ts {
			ts[i] = time.AfterFunc(time.Hour+time.Duration(i), func() {})
		}
		const left = 100
		base := time.Now().Add(200 * time.Millisecond)
		for i := range left {
			fired.Add(1)
			time.AfterFunc(time.Until(base)+time.Duration(i)*time.Millisecond, func() {
				lock.Lock()
				last += i
				lock.Unlock()
				fired.Done()
			})
		}
		for i := range ts {
			if !ts[(i*7919)%n].Stop() {
				fmt.Println("round", round, "a timer was not there any more")
				os.Exit(1)
			}
		}
		fired.Wait()
		if last != left*(left-1)/2 {
			fmt.Println("round", round, "timers fired wrongly:", last)
			os.Exit(1)
		}
	}
	after := stats()
	if after.HeapAlloc > before.HeapAlloc+1<<20 || after.OtherSys > before.OtherSys+1<<20 || after.NextGC > before.NextGC+1<<20 {
		fmt.Printf("left: heap %d KB, other %d KB, next collection at %d KB\n", after.HeapAlloc>>10, after.OtherSys>>10, after.NextGC>>10)
		os.Exit(1)
	}
}
