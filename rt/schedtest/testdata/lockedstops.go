// Goroutines that are locked to their threads answer each other, while the world is stopped and started: a P that is on its way to such a thread is taken back.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	const pairs, rounds = 4, 500
	var all sync.WaitGroup
	var done atomic.Bool
	for range pairs {
		ask, answer := make(chan int), make(chan int)
		all.Go(func() {
			runtime.LockOSThread()
			for i := range rounds {
				ask <- i
				if <-answer != i {
					panic("a wrong answer")
				}
			}
			close(ask)
		})
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for i := range ask {
				answer <- i
			}
		}()
	}
	stops := 0
	var stopper sync.WaitGroup
	stopper.Go(func() {
		buf := make([]byte, 1<<12)
		for !done.Load() || stops < 100 {
			runtime.Stack(buf, true)
			stops++
			runtime.Gosched()
		}
	})
	all.Wait()
	done.Store(true)
	stopper.Wait()
	fmt.Println("answered")
}

// Output:
// answered
