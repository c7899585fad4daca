//heaptest:calm

// A finalizer is set, and taken away, while another thread sweeps the span that its object lies in: the object is found.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

type object struct {
	p [20]*int
}

var sink atomic.Pointer[object]

func main() {
	debug.SetGCPercent(1)
	const each = 5000
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		var mine []*object
		for range each {
			mine = append(mine, &object{})
			sink.Store(&object{}) // so that spans have free slots, and are swept
			sink.Store(&object{})
		}
		wg.Go(func() {
			for !stop.Load() {
				for _, o := range mine {
					runtime.SetFinalizer(o, func(*object) {})
					runtime.SetFinalizer(o, nil)
				}
			}
		})
	}
	wg.Go(func() {
		for !stop.Load() {
			for range 1000 {
				sink.Store(&object{})
			}
		}
	})
	time.Sleep(2 * time.Second)
	stop.Store(true)
	wg.Wait()
	fmt.Println("done")
}
