package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// What stacks take must not drift away from the truth where goroutines on several threads map and unmap segments at once. Under this limit a
// goroutine that outgrows a small segment gets a mapping of its own, which goes when it ends; small segments come from arenas.
const (
	maxStack = 200_000
	arena    = 16 << 20
)

//go:noinline
func deep(n int) int {
	var a [1000]byte
	a[n%1000] = 1
	if n == 0 {
		return int(a[1])
	}
	return deep(n-1) + int(a[n%1000])
}

func round(workers, rounds int) {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			done := make(chan int)
			for range rounds {
				go func() { done <- deep(80) }()
				<-done
			}
		})
	}
	wg.Wait()
}

func mapped() uint64 {
	s := []metrics.Sample{{Name: "/loam/stack/segments/mapped:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func main() {
	debug.SetMaxStack(maxStack)
	round(4, 10)
	settle := func(ok func(uint64) bool) uint64 {
		n := mapped()
		for i := 0; i < 500 && !ok(n); i++ { // goroutines that have sent give up their segments a little later
			time.Sleep(time.Millisecond)
			n = mapped()
		}
		return n
	}
	whole := func(n uint64) bool { return n > 0 && n%arena == 0 && n < 100*arena }
	if n := settle(whole); !whole(n) {
		fmt.Println("at the start", n)
		os.Exit(1)
	}
	round(8, 5000)
	if n := settle(whole); !whole(n) {
		fmt.Println(n, "bytes are said to be mapped,", n%arena, "more than arenas")
		os.Exit(1)
	}
	fmt.Println("ok")
}

// Output:
// ok
