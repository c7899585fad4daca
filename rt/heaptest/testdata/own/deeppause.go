// Allocates on a deep stack, and prints the shortest pause of the collections meanwhile, in
// microseconds. With BESIDE set it is the pause in the middle: with "sleeper" there is a goroutine
// beside that sleeps and wakes up, so that two threads mark by turns, and with "deep" there are three
// more on deep stacks, which wait for each other's Ps.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
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

var (
	sink   []*int
	others [3][]*int
	turns  [3]atomic.Int64
)

func main() {
	const cycles = 20
	beside := os.Getenv("BESIDE")
	switch beside {
	case "sleeper":
		go func() {
			for {
				time.Sleep(200 * time.Microsecond)
			}
		}()
	case "deep":
		for i := range others {
			go deep(10_000, func() {
				for {
					others[i] = make([]*int, 64)
					turns[i].Add(1)
				}
			})
		}
	}
	deep(100_000, func() { // 80 MB
		var before, m runtime.MemStats
		runtime.ReadMemStats(&before)
		for m.NumGC < before.NumGC+cycles {
			for range 10_000 {
				sink = make([]*int, 64)
			}
			runtime.ReadMemStats(&m)
		}
		if beside == "deep" {
			for i := range turns {
				for n := turns[i].Load(); turns[i].Load() == n; {
					runtime.Gosched()
				}
			}
		}
		pauses := m.PauseNs[before.NumGC:m.NumGC]
		slices.Sort(pauses)
		n := 0
		if beside != "" {
			n = len(pauses) / 2
		}
		fmt.Println(pauses[n] / 1000)
	})
}
