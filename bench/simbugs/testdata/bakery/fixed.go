// Order, atomic: who draws a ticket says so, and others wait until it is drawn.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const n = 3

type bakery struct {
	choosing [n]atomic.Bool
	ticket   [n]atomic.Int64
}

func (b *bakery) lock(me int) {
	b.choosing[me].Store(true)
	high := int64(0)
	for i := range b.ticket {
		high = max(high, b.ticket[i].Load())
	}
	b.ticket[me].Store(high + 1)
	b.choosing[me].Store(false)
	for i := range b.ticket {
		if i == me {
			continue
		}
		for b.choosing[i].Load() {
			runtime.Gosched()
		}
		for {
			other, mine := b.ticket[i].Load(), b.ticket[me].Load()
			if other == 0 || other > mine || other == mine && i > me {
				break
			}
			runtime.Gosched()
		}
	}
}

func (b *bakery) unlock(me int) { b.ticket[me].Store(0) }

func main() {
	var b bakery
	var bread atomic.Int64
	var wg sync.WaitGroup
	for me := range n {
		wg.Go(func() {
			for range 3 {
				b.lock(me)
				was := bread.Load()
				bread.Store(was + 1)
				b.unlock(me)
			}
		})
	}
	wg.Wait()
	if bread.Load() != 3*n {
		panic(fmt.Sprintf("%d", bread.Load()))
	}
}
