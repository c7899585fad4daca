// Command pool puts and gets values of a sync.Pool in ways that hit, steal and miss, while
// collections go on. Watched with loam trace, its figures show what a pool keeps and what it
// loses; docs/watching.md walks through it.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type buffer [4 << 10]byte

func main() {
	var made atomic.Int64
	pool := sync.Pool{New: func() any {
		made.Add(1)
		return new(buffer)
	}}
	// Each goroutine takes what it has put: hits.
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for range 20_000 {
				pool.Put(pool.Get())
			}
		})
	}
	wg.Wait()
	// One puts, the others take: steals, and misses when there is nothing.
	values := make(chan any, 64)
	wg.Go(func() {
		for range 20_000 {
			pool.Put(pool.Get())
			values <- pool.Get()
		}
		close(values)
	})
	for range 4 {
		wg.Go(func() {
			for v := range values {
				pool.Put(v)
			}
		})
	}
	wg.Wait()
	// Two collections without use: what is in the pool becomes the victim, then garbage.
	for range 100 {
		pool.Put(new(buffer))
	}
	runtime.GC()
	runtime.GC()
	runtime.GC()
	fmt.Println(made.Load(), "values made")
}
