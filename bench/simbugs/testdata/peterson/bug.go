// Order, atomic: a lock for two, in which each takes its turn before it says that it wants in.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type pair struct {
	wants [2]atomic.Bool
	turn  atomic.Int32
}

func (p *pair) lock(me int32) {
	other := 1 - me
	p.turn.Store(other)
	p.wants[me].Store(true)
	for p.wants[other].Load() && p.turn.Load() == other {
		runtime.Gosched()
	}
}

func (p *pair) unlock(me int32) { p.wants[me].Store(false) }

func main() {
	var p pair
	var inside atomic.Int32
	var wg sync.WaitGroup
	for me := range int32(2) {
		wg.Go(func() {
			for range 5 {
				p.lock(me)
				if inside.Add(1) != 1 {
					panic("two are inside")
				}
				inside.Add(-1)
				p.unlock(me)
			}
		})
	}
	wg.Wait()
}
