package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type node struct {
	next, other *node
	data        [14]uintptr
}

// running has 10,000 goroutines that all want to run, each with some objects of its own, next to 4
// GB of linked objects: all that could make a pause long.
func running() error {
	const (
		goroutines = 10_000
		size       = 4 << 30
		duration   = 20 * time.Second
	)
	var heap *node
	for i := range size / 128 {
		heap = &node{next: heap, data: [14]uintptr{uintptr(i)}}
	}
	var stop atomic.Bool
	var steps atomic.Int64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			var mine [8]*node
			n := int64(0)
			for ; !stop.Load(); n++ {
				mine[n%8] = &node{next: mine[(n+3)%8]}
				mine[n%8].next.cut()
				if n%64 == 0 {
					runtime.Gosched()
				}
			}
			steps.Add(n)
		})
	}
	time.Sleep(duration)
	stop.Store(true)
	wg.Wait()
	n := 0
	for ; heap != nil; heap = heap.next {
		n++
	}
	if n != size/128 || steps.Load() < goroutines {
		return fmt.Errorf("running: %d nodes, %d steps", n, steps.Load())
	}
	return nil
}

func (n *node) cut() {
	if n != nil {
		n.next = nil
	}
}

// parked has a million goroutines that wait, while two make garbage.
func parked() error {
	const goroutines = 1_000_000
	wake := make(chan bool)
	var waiting, done sync.WaitGroup
	for range goroutines {
		waiting.Add(1)
		done.Go(func() {
			waiting.Done()
			<-wake
		})
	}
	waiting.Wait()
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			var ring [1 << 12]*small
			for i := range 100_000_000 {
				ring[i%len(ring)] = &small{}
			}
		})
	}
	work.Wait()
	close(wake)
	done.Wait()
	return nil
}
