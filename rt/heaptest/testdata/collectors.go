// Many goroutines that ask for collections, statistics and settings at the same time,
// while others allocate and one sits in system calls.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

type list struct {
	next *list
	n    int
}

func main() {
	var wg sync.WaitGroup
	var stop atomic.Bool
	sums := make([]int, 6)
	for g := range sums {
		wg.Go(func() {
			for round := range 30 {
				var l *list
				for i := range 500 {
					l = &list{l, i * round}
				}
				for ; l != nil; l = l.next {
					sums[g] += l.n
				}
			}
		})
	}
	var others sync.WaitGroup
	others.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	others.Go(func() {
		for range 50 {
			runtime.GC()
		}
	})
	others.Go(func() {
		var m runtime.MemStats
		for !stop.Load() {
			runtime.ReadMemStats(&m)
			if m.HeapAlloc > m.HeapSys {
				panic("HeapAlloc > HeapSys")
			}
		}
	})
	others.Go(func() {
		for i := range 200 {
			debug.SetGCPercent(50 + i)
			debug.SetMemoryLimit(1<<40 + int64(i))
		}
	})
	others.Go(func() {
		f, err := os.Open("/dev/zero")
		if err != nil {
			panic(err)
		}
		defer f.Close()
		for !stop.Load() {
			b := make([]byte, 10_000)
			if n, err := f.Read(b); n == 0 || err != nil { // a signal may cut it short
				panic(err)
			}
			runtime.Gosched()
		}
	})
	others.Go(func() {
		for i := range 10 {
			old := runtime.GOMAXPROCS(1 + i%4)
			runtime.Gosched()
			_ = old
		}
	})
	wg.Wait()
	stop.Store(true)
	others.Wait()
	fmt.Println(sums)
}
