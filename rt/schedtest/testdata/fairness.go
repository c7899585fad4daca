// No mix of goroutines keeps another from its turn: not loops without calls, not goroutines that
// only yield, not pairs that wake each other. rt/sched/doc.go states the bound; the one here is
// several times as long, in processor time of the process, which passes with the program on a
// machine that does other work.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	bound = 3 * time.Second
	least = 5 // turns of each goroutine
)

var sink int

// spent is the processor time of the process.
func spent() time.Duration {
	var t syscall.Timespec
	const processClock = 2
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

func main() {
	var stop atomic.Bool
	var wg sync.WaitGroup
	turns := make([]atomic.Int64, 12)
	longest := make([]time.Duration, len(turns))
	// turn counts a turn of goroutine i and notes how long it has waited.
	turn := func(i int, last time.Duration) time.Duration {
		now := spent()
		longest[i] = max(longest[i], now-last)
		turns[i].Add(1)
		return now
	}
	for i := range 2 { // loops that the scheduler has to interrupt
		wg.Go(func() {
			x := i
			for !stop.Load() {
				for k := range 1_000_000 {
					x += k ^ x
				}
				turns[i].Add(1)
			}
			sink = x
		})
	}
	for i := 2; i < 8; i++ { // yielders
		wg.Go(func() {
			for last := spent(); !stop.Load(); last = turn(i, last) {
				runtime.Gosched()
			}
		})
	}
	for i := 8; i < len(turns); i++ { // pairs
		a, b := make(chan int), make(chan int)
		wg.Go(func() {
			for range a {
				b <- 1
			}
		})
		wg.Go(func() {
			defer close(a)
			for last := spent(); !stop.Load(); last = turn(i, last) {
				a <- 1
				<-b
			}
		})
	}
	begin := spent()
	for spent()-begin < time.Second {
		time.Sleep(time.Millisecond)
	}
	for i := range turns {
		for turns[i].Load() < least && spent()-begin < least*bound {
			time.Sleep(time.Millisecond)
		}
	}
	stop.Store(true)
	wg.Wait()
	for i := range turns {
		if turns[i].Load() < least || longest[i] > bound {
			panic(fmt.Sprintf("goroutine %d: %d turns, waited %v", i, turns[i].Load(), longest[i]))
		}
	}
	fmt.Println("done")
}

// Output:
// done
