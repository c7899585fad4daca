package main

import (
	"sync"
	"time"

	"loam/bench/experiments"
)

// pingPong sends a value there and back: one round trip.
func pingPong() {
	bothProcs(func(series string) { measure(series, 1, 500_000, experiments.PingPong) })
}

// buffered moves items from one goroutine to another through channels of several sizes.
func buffered() {
	bothProcs(func(series string) {
		for _, size := range []int{1, 16, 128, 1024} {
			measure(series, size, 2_000_000, func(n int) { experiments.Buffered(n, size) })
		}
	})
}

// fanIn has k goroutines send to one.
func fanIn() {
	for _, k := range []int{1, 10, 100, 1000} {
		measure("unbuffered", k, 500_000, func(n int) {
			c := make(chan int)
			for range k {
				go func() {
					for i := range n / k {
						c <- i
					}
				}()
			}
			for range n / k * k {
				<-c
			}
		})
	}
}

// fanOut has one goroutine send to k.
func fanOut() {
	for _, k := range []int{1, 10, 100, 1000} {
		measure("unbuffered", k, 500_000, func(n int) {
			c := make(chan int)
			var wg sync.WaitGroup
			for range k {
				wg.Go(func() {
					for range c {
					}
				})
			}
			for i := range n {
				c <- i
			}
			close(c)
			wg.Wait()
		})
	}
}

// selects receives from two and from eight channels that eight goroutines send to.
func selects() {
	measure("of 2", 2, 500_000, func(n int) {
		c := senders(2, n)
		for range n / 2 * 2 {
			select {
			case <-c[0]:
			case <-c[1]:
			}
		}
	})
	measure("of 8", 8, 500_000, func(n int) {
		c := senders(8, n)
		for range n / 8 * 8 {
			select {
			case <-c[0]:
			case <-c[1]:
			case <-c[2]:
			case <-c[3]:
			case <-c[4]:
			case <-c[5]:
			case <-c[6]:
			case <-c[7]:
			}
		}
	})
}

func senders(k, n int) []chan int {
	cs := make([]chan int, k)
	for i := range cs {
		cs[i] = make(chan int, 1)
		go func() {
			for v := range n / k {
				cs[i] <- v
			}
		}()
	}
	return cs
}

// busy takes 200 ns of time, not of work: both compilers' programs hold a lock for as long.
func busy() {
	for start := time.Now(); time.Since(start) < 200*time.Nanosecond; {
	}
}

// mutexes counts under a sync.Mutex: alone, and k goroutines in turn; then 100 that hold it for 200
// ns and let others have it for as long.
func mutexes() {
	measure("alone", 1, 10_000_000, experiments.Mutex)
	for _, k := range []int{2, 8, 64} {
		measure("contended", k, 3_000_000, func(n int) {
			var mu sync.Mutex
			var wg sync.WaitGroup
			x := 0
			for range k {
				wg.Go(func() {
					for range n / k {
						mu.Lock()
						x++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
		})
	}
	const k = 100
	measure("held", k, 1_000_000, func(n int) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range k {
			wg.Go(func() {
				for range n / k {
					mu.Lock()
					busy()
					mu.Unlock()
					busy()
				}
			})
		}
		wg.Wait()
	})
}

// timers starts and stops timers, resets one, lets many fire, and has goroutines sleep.
func timers() {
	measure("start and stop", 1, 1_000_000, func(n int) {
		for range n {
			time.AfterFunc(time.Hour, func() {}).Stop()
		}
	})
	measure("reset", 1, 1_000_000, func(n int) {
		t := time.NewTimer(time.Hour)
		for range n {
			t.Reset(time.Hour)
		}
		t.Stop()
	})
	measure("fire", 1, 200_000, func(n int) {
		var wg sync.WaitGroup
		wg.Add(n)
		for i := range n {
			time.AfterFunc(time.Duration(i%1000)*time.Microsecond, wg.Done)
		}
		wg.Wait()
	})
	measure("sleep", 1, 100_000, func(n int) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { time.Sleep(time.Duration(i%1000) * time.Microsecond) })
		}
		wg.Wait()
	})
}
