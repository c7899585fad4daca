package main

import (
	"fmt"
	"runtime"
)

// Goroutines that wait within frames of some size take little more memory of stacks than that: the
// run-time system learns what each go statement's need, and has sizes close enough to each other.

//go:noinline
func touch(b []byte) { b[len(b)/2] = 1 }

func wait500(up, done chan bool)  { var b [500]byte; touch(b[:]); up <- true; <-done; touch(b[:]) }
func wait1500(up, done chan bool) { var b [1500]byte; touch(b[:]); up <- true; <-done; touch(b[:]) }
func wait2900(up, done chan bool) { var b [2900]byte; touch(b[:]); up <- true; <-done; touch(b[:]) }
func wait3800(up, done chan bool) { var b [3800]byte; touch(b[:]); up <- true; <-done; touch(b[:]) }
func wait4700(up, done chan bool) { var b [4700]byte; touch(b[:]); up <- true; <-done; touch(b[:]) }
func wait6000(up, done chan bool) { var b [6000]byte; touch(b[:]); up <- true; <-done; touch(b[:]) }

// waitGuarded recovers when it ends, as what a sync.WaitGroup starts does: there is nothing to
// recover, and so that takes no stack to speak of.
func waitGuarded(up, done chan bool) { defer func() { recover() }(); up <- true; <-done }

const (
	goroutines = 2000
	// What a goroutine takes besides: its G, what is kept free below a stack's limit, the frames
	// below the one that waits, and at most the step from one size to the next. The first goroutines
	// of each statement get the largest size.
	besides = 3000
	guarded = 2000
	chunks  = 2 << 20 // of cells, that are not full: one for each size
)

func main() {
	runtime.GOMAXPROCS(1) // each P takes some ahead
	up, done := make(chan bool), make(chan bool)
	for _, w := range []struct {
		bytes int
		wait  func(up, done chan bool)
	}{{500, wait500}, {1500, wait1500}, {2900, wait2900}, {3800, wait3800}, {4700, wait4700}, {6000, wait6000}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range goroutines {
			go w.wait(up, done)
			<-up // it has left its stack's first part, or not, before the next one begins
		}
		runtime.ReadMemStats(&after)
		took := int(after.StackInuse - before.StackInuse)
		if took < goroutines*w.bytes || took > goroutines*(w.bytes+besides)+chunks {
			fmt.Println("goroutines that wait within", w.bytes, "bytes take", took/goroutines, "bytes each")
		}
	}
	ended := make(chan bool)
	close(ended)
	var before, after runtime.MemStats
	for _, end := range []chan bool{ended, done} { // the first ones end, and teach what that takes
		runtime.ReadMemStats(&before)
		for range goroutines {
			go waitGuarded(up, end)
			<-up
		}
		runtime.ReadMemStats(&after)
	}
	if took := int(after.StackInuse - before.StackInuse); took > goroutines*guarded+chunks {
		fmt.Println("goroutines that recover at their end take", took/goroutines, "bytes each")
	}
	close(done)
	fmt.Println("done")
}

// Output:
// done
