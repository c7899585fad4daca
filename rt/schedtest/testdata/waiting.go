// Tickers: a thread is not woken for each tick of many, nor a second one with it, and none looks around meanwhile for what it cannot have.
package main

import (
	"fmt"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	// Few tickers: half of them tick together with another. A scheduler that wakes a second thread with each searches as often as they tick.
	check(20, 1500, 3, 4)
	// Many: a scheduler that wakes a thread for each, or a second one, searches for one tick of five or three.
	check(300, 5000, 1, 6)
}

// check lets tickers of 1 to 50 ms tick, and wants fewer searches than num/den of the ticks. Where other programs take the CPUs a thread is away for
// longer than it is put off to wake a second one. So one time of several counts: such a scheduler as meant above searches more each time.
func check(tickers int, ticks int64, num, den uint64) {
	few := false
	for try := 0; try < 30 && !few; try++ {
		searches, n := tick(tickers, ticks)
		if few = searches*den < n*num; !few {
			fmt.Println(searches, "searches for", n, "ticks")
		}
	}
	fmt.Println(tickers, "tickers, few searches:", few)
}

// tick lets tickers tick, and returns how often threads searched for how many ticks.
func tick(tickers int, ticks int64) (searches, n uint64) {
	var seen atomic.Int64
	var all sync.WaitGroup
	end := make(chan bool)
	for i := range tickers {
		all.Go(func() {
			t := time.NewTicker(time.Duration(1+i*7%50) * time.Millisecond)
			defer t.Stop()
			for {
				select {
				case <-t.C:
					seen.Add(1)
				case <-end:
					return
				}
			}
		})
	}
	time.Sleep(100 * time.Millisecond)
	idle, before := idles(), seen.Load()
	for seen.Load() < before+ticks {
		time.Sleep(20 * time.Millisecond)
	}
	n = uint64(seen.Load() - before)
	searches = idles() - idle
	close(end)
	all.Wait()
	return searches, n
}

// idles is how often a P has become idle.
func idles() uint64 {
	s := []metrics.Sample{{Name: "/loam/sched/idles:idles"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// Output:
// 20 tickers, few searches: true
// 300 tickers, few searches: true
