package main

import (
	"fmt"
	"runtime"
)

// What a memory limit and MemStats count as stacks is what stacks can have touched, not the mapping
// that segments are cut from.

//go:noinline
func deep(n int, m *runtime.MemStats) int {
	var a [1000]byte
	a[n%1000] = 1
	if n == 0 {
		runtime.ReadMemStats(m)
		return int(a[1])
	}
	return deep(n-1, m) + int(a[n%1000])
}

func main() {
	var before, in runtime.MemStats
	for _, kb := range []int{20, 500} {
		runtime.ReadMemStats(&before)
		deep(kb, &in)
		total := in.StackSys >> 10
		if in.StackInuse < before.StackInuse || total < uint64(kb) || total > 2000+4*uint64(kb) {
			fmt.Println("a stack of", kb, "KB: before", before.StackInuse>>10, "in it", in.StackInuse>>10, total)
		}
	}
	fmt.Println("done")
}

// Output:
// done
