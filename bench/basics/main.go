// Basics measures what the seed articles measure, one line a figure: name and nanoseconds an
// operation. bench runs it under both compilers in turn.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"loam/bench/experiments"
)

func main() {
	measure("gosched", 300_000, gosched)
	measure("spawn", 200_000, experiments.Spawn)
	measure("pingpong", 200_000, experiments.PingPong)
	measure("buffered", 1_000_000, func(n int) { experiments.Buffered(n, 128) })
	measure("select2", 300_000, selectTwo)
	measure("mutex", 5_000_000, experiments.Mutex)
	measure("deep10000", 100, deep)
	measure("alloc32", 5_000_000, alloc32)
	measure("alloc1k", 500_000, alloc1k)
	measure("pool", 3_000_000, pool)
	measure("map", 3_000_000, mapAccess)
}

func measure(name string, n int, f func(n int)) {
	f(n / 10)
	runtime.GC()
	start := time.Now()
	f(n)
	fmt.Printf("%s %.2f\n", name, float64(time.Since(start).Nanoseconds())/float64(n))
}

func gosched(n int) {
	done := make(chan bool)
	for range 2 {
		go func() {
			for range n / 2 {
				runtime.Gosched()
			}
			done <- true
		}()
	}
	<-done
	<-done
}

func selectTwo(n int) {
	a, b, quit := make(chan int, 1), make(chan int, 1), make(chan bool)
	go func() {
		for i := 0; i < n; i += 2 {
			a <- i
			b <- i
		}
		close(quit)
	}()
	for {
		select {
		case <-a:
		case <-b:
		case <-quit:
			return
		}
	}
}

//go:noinline
func recurse(n int) int {
	if n == 0 {
		return 0
	}
	var pad [8]int
	pad[n&7] = n
	return recurse(n-1) + pad[n&7]
}

func deep(n int) {
	for range n {
		done := make(chan int)
		go func() { done <- recurse(10_000) }()
		<-done
	}
}

type small struct {
	next *small
	v    [3]int
}

var keep [1024]*small

func alloc32(n int) {
	for i := range n {
		keep[i&1023] = &small{v: [3]int{i}}
	}
}

var keepBytes [1024][]byte

func alloc1k(n int) {
	for i := range n {
		keepBytes[i&1023] = make([]byte, 1024)
	}
}

var buffers = sync.Pool{New: func() any { return new([64]byte) }}

func pool(n int) {
	for i := range n {
		b := buffers.Get().(*[64]byte)
		b[i&63]++
		buffers.Put(b)
	}
}

func mapAccess(n int) {
	m := map[int]int{}
	for i := range n {
		m[i&4095] += i
	}
}
