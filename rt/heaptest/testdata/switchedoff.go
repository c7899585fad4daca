//heaptest:calm
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// When debug.SetGCPercent(-1) has returned, no collection is under way, and none begins.

type node struct{ l, r *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

var (
	kept *node
	sink []byte
)

func allocate(n int) {
	for range n {
		sink = make([]byte, 1000)
	}
}

func main() {
	kept = tree(19)
	debug.SetMemoryLimit(1 << 62)
	bad := 0
	for i := range 6 {
		debug.SetGCPercent(20)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if before.NextGC > 60<<20 {
			continue // LOAMGC=cpu lets the heap grow to the limit, which holds for what is switched off, too
		}
		for after = before; after.HeapAlloc < before.NextGC/100*95 && after.NumGC == before.NumGC; {
			allocate(100)
			runtime.ReadMemStats(&after)
		}
		go allocate(50000)
		time.Sleep(time.Duration(i) * time.Millisecond)
		debug.SetGCPercent(-1)
		runtime.ReadMemStats(&before)
		time.Sleep(50 * time.Millisecond)
		runtime.ReadMemStats(&after)
		if after.NumGC != before.NumGC {
			bad++
		}
	}
	fmt.Println(bad)
}
