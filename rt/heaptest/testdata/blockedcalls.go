package main

import (
	"fmt"
	"runtime"
	"time"
)

// Finalizers and cleanups that block: those of one kind hold up none of the other, and with many Ps there are several goroutines for cleanups.

type object struct {
	words [4]int
	p     *int
}

// called collects until c is sent to.
func called(c chan bool) bool {
	for range 2000 {
		drop() // gc starts another goroutine for cleanups only when one is added
		runtime.GC()
		select {
		case <-c:
			return true
		case <-time.After(5 * time.Millisecond):
		}
	}
	return false
}

//go:noinline
func drop() { runtime.AddCleanup(&object{}, func(int) {}, 0) }

var never = make(chan bool)

//go:noinline
func finalizer(c chan bool, block bool) {
	runtime.SetFinalizer(&object{}, func(*object) {
		c <- true
		if block {
			<-never
		}
	})
}

//go:noinline
func cleanup(c chan bool, block bool) {
	runtime.AddCleanup(&object{}, func(bool) {
		c <- true
		if block {
			<-never
		}
	}, block)
}

func main() {
	c := make(chan bool)
	runtime.GOMAXPROCS(12)
	for i := range 2 {
		cleanup(c, true)
		fmt.Println("cleanup", i, called(c))
	}
	for range 100 {
		cleanup(c, false)
	}
	n := 0
	for n < 100 && called(c) {
		n++
	}
	fmt.Println(n, "cleanups beside them")
	finalizer(c, false)
	fmt.Println("finalizer", called(c))
	finalizer(c, true)
	fmt.Println("finalizer", called(c))
	cleanup(c, false)
	fmt.Println("cleanup", called(c))
}
