package main

import (
	"math"
	"runtime"
	"sync"
	"time"

	"loam/bench/experiments"
)

// switches is seed 4: what a switch between goroutines that yield costs, and how it grows with
// their number.
func switches() {
	onProcs(1, func() {
		for _, k := range []int{2, 100, 10_000} {
			measure("Gosched", k, 1_000_000, func(n int) {
				var wg sync.WaitGroup
				for range k {
					wg.Go(func() {
						for range n / k {
							runtime.Gosched()
						}
					})
				}
				wg.Wait()
			})
		}
	})
}

// spawns starts goroutines that end at once, a hundred at a time.
func spawns() {
	bothProcs(func(series string) { measure(series, 1, 500_000, experiments.Spawn) })
}

// work is seed 2: x goroutines that take some square roots each and send the result. The loop
// without goroutines is what the difference is to.
func work() {
	for _, roots := range []int{1, 10, 100, 1000, 5000} {
		f := func(res chan<- float64) {
			x := 13.0
			for range roots {
				x = math.Sqrt(x + 13)
			}
			res <- x
		}
		series := map[int]string{1: "1 root", 10: "10 roots", 100: "100 roots", 1000: "1000 roots", 5000: "5000 roots"}[roots]
		for k := 1000; k <= 1_000_000; k *= 10 {
			if k*roots > 20_000_000 || *small && k > 10_000 {
				continue
			}
			res := make(chan float64, k)
			runtime.GC()
			start := now()
			for range k {
				go f(res)
			}
			sum := 0.0
			for range k {
				sum += <-res
			}
			report(series, k, float64(now()-start)/float64(k), "ns")
			if math.IsNaN(sum) {
				panic("NaN")
			}
		}
	}
}

// idle parks goroutines on a channel: what they weigh, how long it takes to start them and to end
// them.
func idle() {
	most := 1_000_000
	if *small {
		most = 10_000
	}
	for k := 1000; k <= most; k *= 10 {
		runtime.GC()
		before := resident()
		quit := make(chan int)
		var ready, done sync.WaitGroup
		ready.Add(k)
		done.Add(k)
		start := now()
		for range k {
			go func() {
				ready.Done()
				<-quit
				done.Done()
			}()
		}
		ready.Wait()
		report("start", k, float64(now()-start)/float64(k), "ns")
		time.Sleep(time.Millisecond)
		report("memory", k, float64(resident()-before)/float64(k), "B")
		start = now()
		close(quit)
		done.Wait()
		report("end", k, float64(now()-start)/float64(k), "ns")
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

// depths lets fresh goroutines grow their stack: n calls deep, once.
func depths() {
	for _, d := range []int{10, 100, 1000, 10_000, 100_000} {
		measure("growth", d, max(2_000_000/d/10, 4), func(n int) {
			for range n {
				done := make(chan int)
				go func() { done <- recurse(d) }()
				<-done
			}
		})
	}
}

// wide has a thousand goroutines a thousand calls deep at the same time.
func wide() {
	const k, d = 1000, 1000
	measure("1000 x 1000", k, 10, func(n int) {
		for range n {
			quit := make(chan int)
			var deep, done sync.WaitGroup
			deep.Add(k)
			done.Add(k)
			for range k {
				go func() {
					descend(d, func() {
						deep.Done()
						<-quit
					})
					done.Done()
				}()
			}
			deep.Wait()
			close(quit)
			done.Wait()
		}
	})
}

//go:noinline
func descend(n int, f func()) int {
	if n == 0 {
		f()
		return 0
	}
	var pad [8]int
	pad[n&7] = n
	return descend(n-1, f) + pad[n&7]
}
