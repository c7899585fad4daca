// Large objects that nobody touches, under a memory limit: making them takes no time, so nothing but
// the limit holds the program up until the collector is done. Prints the most memory of the heap, in
// megabytes.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

const mb = 1 << 20

func main() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(100 * mb)
	var kept [10][]byte
	var most uint64
	for i := range 2000 {
		kept[i%len(kept)] = make([]byte, mb)
		if i%100 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapSys-m.HeapReleased)
		}
	}
	runtime.KeepAlive(kept)
	fmt.Println(most / mb)
}
