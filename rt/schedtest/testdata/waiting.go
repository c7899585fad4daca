// Many tickers: a thread is not woken for each tick, nor a second one with it, and none looks around meanwhile for what it cannot have.
package main

import (
	"fmt"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	const tickers = 300
	var ticks atomic.Int64
	var all sync.WaitGroup
	end := make(chan bool)
	for i := range tickers {
		all.Go(func() {
			t := time.NewTicker(time.Duration(1+i*7%50) * time.Millisecond)
			defer t.Stop()
			for {
				select {
				case <-t.C:
					ticks.Add(1)
				case <-end:
					return
				}
			}
		})
	}
	time.Sleep(100 * time.Millisecond)
	began, before := idles(), ticks.Load()
	for ticks.Load() < before+5000 {
		time.Sleep(20 * time.Millisecond)
	}
	n := ticks.Load() - before
	began = idles() - began
	close(end)
	all.Wait()
	fmt.Println("ticks:", n >= 5000)
	fmt.Println("few searches:", began < uint64(n))
	if began >= uint64(n) {
		fmt.Println(began, "searches for", n, "ticks")
	}
}

// idles is how often a P has become idle.
func idles() uint64 {
	s := []metrics.Sample{{Name: "/loam/sched/idles:idles"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// Output:
// ticks: true
// few searches: true
