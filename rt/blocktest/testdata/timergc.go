// Timers that nothing but the timer heaps refers to survive collections while others come and go around them.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	os.Setenv("GODEBUG", "asynctimerchan=1") // channels' timers are in the heaps, too
	var over atomic.Bool
	go func() {
		for ; !over.Load(); time.Sleep(50 * time.Microsecond) {
			runtime.GC()
		}
	}()
	const rounds, goroutines, timers = 3, 20, 200
	for range rounds {
		var fired, want atomic.Int64
		var all, made sync.WaitGroup
		for g := range goroutines {
			made.Go(func() {
				r := rand.New(rand.NewPCG(uint64(g), 1))
				for range timers {
					v := r.Int64N(1000)
					want.Add(v)
					all.Add(1)
					time.AfterFunc(time.Duration(r.IntN(20000))*time.Microsecond, func() {
						fired.Add(v)
						all.Done()
					})
					// Its place is taken by the last in the heap, which moves.
					t := time.NewTimer(time.Duration(r.IntN(20000)) * time.Microsecond)
					if r.IntN(2) == 0 {
						t.Reset(time.Hour)
					} else {
						t.Stop()
					}
				}
			})
		}
		made.Wait()
		all.Wait()
		if fired.Load() != want.Load() {
			fmt.Println("fired", fired.Load(), "of", want.Load())
			os.Exit(1)
		}
	}
	over.Store(true)
	fmt.Println("ok")
}
