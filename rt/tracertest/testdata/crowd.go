// Crowd takes a few traces, into FILE.0 and so on, while thousands of goroutines are parked and some of them are woken all the time,
// so that many are told just when something happens to them.
//
//	crowd FILE
package main

import (
	"fmt"
	"os"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"
)

const (
	parked = 2000
	pairs  = 1000
)

func main() {
	var done atomic.Bool
	var wg sync.WaitGroup
	never := make(chan int)
	for range parked {
		go wait(never)
	}
	for range pairs {
		there, back := make(chan int), make(chan int)
		wg.Go(func() {
			for v := range there {
				back <- v
			}
		})
		wg.Go(func() {
			defer close(there)
			for i := 0; !done.Load(); i++ {
				there <- i
				<-back
				time.Sleep(time.Millisecond)
			}
		})
	}
	for i := range 6 {
		record(fmt.Sprintf("%s.%d", os.Args[1], i), time.Duration(i)*3*time.Millisecond)
	}
	done.Store(true)
	wg.Wait()
}

//go:noinline
func wait(c chan int) { <-c }

func record(name string, length time.Duration) {
	f, err := os.Create(name)
	if err == nil {
		err = trace.Start(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	time.Sleep(length)
	trace.Stop()
	f.Close()
}
