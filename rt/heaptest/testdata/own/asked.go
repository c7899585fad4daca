package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
)

type node struct {
	next *node
	id   int
}

// What only a goroutine that runs knows is marked before the world stops for the end of a cycle: the goroutine is asked for its stack. Were it not, each
// third cycle here would find a list of 100,000 nodes there, and have to go on.
func main() {
	runtime.GOMAXPROCS(2)
	var ready, stop atomic.Bool
	length := make(chan int)
	go func() {
		var list *node
		for i := range 100_000 {
			list = &node{list, i}
		}
		ready.Store(true)
		for !stop.Load() {
		}
		n := 0
		for ; list != nil; list = list.next {
			n++
		}
		length <- n
	}()
	for !ready.Load() {
	}
	// On a machine with much else to do some fail, because the goroutine's thread has no CPU when it is asked; hence five attempts.
	const cycles = 100
	few := false
	for range 5 {
		before := retries()
		for range cycles {
			runtime.GC()
		}
		n := retries() - before
		if few = n <= cycles/10; few {
			break
		}
		fmt.Println(n, "ends of", cycles, "cycles found too much")
	}
	stop.Store(true)
	if n := <-length; n != 100_000 {
		fmt.Println("the list has", n, "nodes")
		os.Exit(1)
	}
	if !few {
		os.Exit(1)
	}
}

func retries() uint64 {
	s := []metrics.Sample{{Name: "/loam/gc/retries:stops"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
