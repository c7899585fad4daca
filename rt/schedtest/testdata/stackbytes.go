package main

import (
	"fmt"
	"runtime"
	"time"
)

// What a memory limit and MemStats count as stacks is what stacks have touched and not given back: not
// the mapping that segments are cut from, not the rest of a large segment, and nothing of a stack
// that is over, but for what is kept for the next one.

//go:noinline
func deep(n int, f func()) int {
	var a [1000]byte
	a[n%1000] = 1
	if n == 0 {
		f()
		return int(a[1])
	}
	return deep(n-1, f) + int(a[n%1000])
}

func main() {
	var before, in runtime.MemStats
	for _, kb := range []int{20, 500, 5000, 50_000} {
		runtime.ReadMemStats(&before)
		deep(kb, func() { runtime.ReadMemStats(&in) })
		total := in.StackSys >> 10
		if in.StackInuse < before.StackInuse || total < uint64(kb) || total > 1000+2*uint64(kb) {
			fmt.Println("a stack of", kb, "KB: before", before.StackInuse>>10, "in it", in.StackInuse>>10, total)
		}
	}
	for range 2 {
		runtime.GC() // gives back what this goroutine does not stand on
	}
	runtime.ReadMemStats(&in)
	if in.StackSys > 2<<20 {
		fmt.Println("afterwards", in.StackSys>>10)
	}
	done, up := make(chan bool), make(chan bool)
	for range 3000 {
		go func() {
			deep(24, func() {
				up <- true
				<-done
			})
		}()
	}
	for range 3000 {
		<-up
	}
	runtime.ReadMemStats(&before)
	close(done)
	for i := 0; i < 1000 && runtime.NumGoroutine() > 1; i++ {
		time.Sleep(time.Millisecond)
	}
	runtime.ReadMemStats(&in)
	if before.StackSys < 3000*24<<10 || in.StackSys > before.StackSys-3000*10<<10 {
		fmt.Println("a burst of goroutines:", before.StackSys>>10, "then", in.StackSys>>10)
	}
	fmt.Println("done")
}

// Output:
// done
