// Keeps 60 MB alive and allocates until there were a hundred collections.
package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
)

type node struct {
	next *node
	pad  [6]int
}

var sink *node

func main() {
	var live *node
	for range 60 << 20 / 64 {
		live = &node{next: live}
	}
	var m runtime.MemStats
	for m.NumGC < 100 {
		for range 10_000 {
			sink = &node{}
		}
		runtime.ReadMemStats(&m)
		if m.TotalAlloc > 3<<30 {
			break
		}
	}
	s := []metrics.Sample{{Name: "/loam/gc/limit/used:fractions"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(s)
	used := s[0].Value.Float64()
	if limited := s[1].Value.Uint64() < 1<<40; limited != (used > 0) || limited && (used > 1) != (s[1].Value.Uint64() < 60<<20) {
		fmt.Println("used", used, "of", s[1].Value.Uint64())
	}
	runtime.KeepAlive(live)
}
