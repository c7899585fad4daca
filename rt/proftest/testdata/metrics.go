// Prints every metric that metrics.All describes: name, kind, whether it is cumulative, the kind of the value read, and a number.
package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

var sink []byte

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for j := range 20000 {
				mu.Lock()
				sink = make([]byte, 1000)
				mu.Unlock()
				if j%100 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
	for range 2000 { // waits, from ready to running
		c := make(chan int)
		go func() { c <- 1 }()
		<-c
	}
	var pool sync.Pool
	pool.Put(new(int))
	pool.Get()
	pool.Get()
	runtime.SetFinalizer(&struct{ _ [100]byte }{}, func(*struct{ _ [100]byte }) {})
	runtime.GC()
	time.Sleep(20 * time.Millisecond) // idle
	all := metrics.All()
	samples := make([]metrics.Sample, len(all))
	for i := range all {
		samples[i].Name = all[i].Name
	}
	metrics.Read(samples)
	for i, d := range all {
		v := samples[i].Value
		fmt.Println(d.Name, d.Kind, d.Cumulative, v.Kind(), number(v))
	}
}

// number is the value; of a histogram how many it counts.
func number(v metrics.Value) float64 {
	switch v.Kind() {
	case metrics.KindUint64:
		return float64(v.Uint64())
	case metrics.KindFloat64:
		return v.Float64()
	case metrics.KindFloat64Histogram:
		n := 0.0
		for _, c := range v.Float64Histogram().Counts {
			n += float64(c)
		}
		return n
	}
	return 0
}
