// Blocking, atomic: an actor that has said that it is idle looks at its mailbox once more.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type actor struct {
	mu     sync.Mutex
	box    []int
	active atomic.Bool
	sum    atomic.Int64
	left   sync.WaitGroup
}

func (a *actor) send(v int) {
	a.mu.Lock()
	a.box = append(a.box, v)
	a.mu.Unlock()
	a.schedule()
}

func (a *actor) schedule() {
	if a.active.CompareAndSwap(false, true) {
		go a.run()
	}
}

func (a *actor) take() (int, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.box) == 0 {
		return 0, false
	}
	v := a.box[0]
	a.box = a.box[1:]
	return v, true
}

func (a *actor) run() {
	for {
		v, ok := a.take()
		if !ok {
			break
		}
		a.sum.Add(int64(v))
		a.left.Done()
	}
	a.active.Store(false)
	a.mu.Lock()
	more := len(a.box) > 0
	a.mu.Unlock()
	if more {
		a.schedule()
	}
}

func main() {
	var a actor
	a.left.Add(6)
	for i := range 2 {
		go func() {
			for j := range 3 {
				a.send(i*3 + j)
			}
		}()
	}
	a.left.Wait()
	if a.sum.Load() != 15 {
		panic(fmt.Sprint(a.sum.Load()))
	}
}
