// Check then act, atomic: the owner of a deque takes the last task without asking whether a thief
// has it.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type deque struct {
	top, bottom atomic.Int64
	tasks       [16]atomic.Int64
}

func (d *deque) push(v int64) {
	b := d.bottom.Load()
	d.tasks[b%16].Store(v)
	d.bottom.Store(b + 1)
}

func (d *deque) pop() (int64, bool) {
	b := d.bottom.Load() - 1
	d.bottom.Store(b)
	t := d.top.Load()
	if t > b {
		d.bottom.Store(b + 1)
		return 0, false
	}
	v := d.tasks[b%16].Load()
	if t < b {
		return v, true
	}
	d.top.CompareAndSwap(t, t+1)
	d.bottom.Store(b + 1)
	return v, true
}

func (d *deque) steal() (int64, bool) {
	t := d.top.Load()
	b := d.bottom.Load()
	if t >= b {
		return 0, false
	}
	v := d.tasks[t%16].Load()
	if !d.top.CompareAndSwap(t, t+1) {
		return 0, false
	}
	return v, true
}

func main() {
	var d deque
	var done [12]atomic.Int32
	var left atomic.Int32
	left.Store(12)
	run := func(v int64) {
		done[v].Add(1)
		left.Add(-1)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for v := range int64(12) {
			d.push(v)
			if v%2 == 1 {
				if v, ok := d.pop(); ok {
					run(v)
				}
			}
		}
		for {
			v, ok := d.pop()
			if !ok {
				break
			}
			run(v)
		}
	})
	for range 2 {
		wg.Go(func() {
			for left.Load() > 0 {
				if v, ok := d.steal(); ok {
					run(v)
				} else {
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
	for v := range done {
		if n := done[v].Load(); n != 1 {
			panic(fmt.Sprintf("task %d was done %d times", v, n))
		}
	}
}
