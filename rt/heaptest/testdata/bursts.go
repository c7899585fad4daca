package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// Goroutines that come in bursts, park with objects that only their stacks know, and end, while collections go on: they are
// scanned while they run, their cells are given back by a thread of the run-time system, and used again.

type object struct {
	next *object
	sum  int
}

//go:noinline
func chain(n, seed int) *object {
	var o *object
	for i := range n {
		o = &object{o, seed + i}
	}
	return o
}

func (o *object) total() (n int) {
	for ; o != nil; o = o.next {
		n += o.sum
	}
	return n
}

// burst returns how many of n goroutines lost objects, and what the process has while all are parked.
func burst(n int) (bad, pages int) {
	wake := make(chan bool)
	var waiting, done sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		waiting.Add(1)
		done.Go(func() {
			mine := chain(3, i)
			waiting.Done()
			<-wake
			again := chain(2, i)
			if mine.total() != 3*i+3 || again.total() != 2*i+1 {
				mu.Lock()
				bad++
				mu.Unlock()
			}
		})
		if i%1000 == 0 {
			chain(2000, i)
		}
	}
	waiting.Wait()
	pages = resident()
	close(wake)
	done.Wait()
	return bad, pages
}

// resident is the memory of the process in pages, if this is Loam, which gives that of goroutines back.
func resident() (pages int) {
	loam := []metrics.Sample{{Name: "/loam/stack/hops:hops"}}
	if metrics.Read(loam); loam[0].Value.Kind() == metrics.KindBad {
		return 0
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		panic(err)
	}
	var size int
	fmt.Sscan(string(statm), &size, &pages)
	return pages
}

func main() {
	const goroutines = 24_000
	bad, most := 0, 0
	for range 3 {
		lost, pages := burst(goroutines)
		bad += lost
		most = max(most, pages)
		// Small bursts while cells are given back.
		for range 4 {
			runtime.GC()
			lost, _ := burst(500)
			bad += lost
		}
	}
	for range 500 {
		if resident() <= most*2/3 {
			break
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("bad:", bad, "given back:", resident() <= most*2/3)
}
