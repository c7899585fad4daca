// Allocates on a deep stack, and prints the shortest pause of the collections meanwhile, in
// microseconds.
package main

import (
	"fmt"
	"runtime"
	"slices"
)

//go:noinline
func deep(n int, f func()) int {
	var a [100]*int
	a[n%100] = &n
	if n == 0 {
		f()
		return 1
	}
	r := deep(n-1, f)
	return r + *a[n%100]
}

var sink []*int

func main() {
	const cycles = 20
	deep(100_000, func() { // 80 MB
		var before, m runtime.MemStats
		runtime.ReadMemStats(&before)
		for m.NumGC < before.NumGC+cycles {
			for range 10_000 {
				sink = make([]*int, 64)
			}
			runtime.ReadMemStats(&m)
		}
		fmt.Println(slices.Min(m.PauseNs[before.NumGC:m.NumGC]) / 1000)
	})
}
