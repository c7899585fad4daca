// Data race, interface: it is in an atomic.Value.
package main

import (
	"sync"
	"sync/atomic"
)

type handler interface{ serve() int }

type first struct{}

func (first) serve() int { return 1 }

var active atomic.Value

func main() {
	active.Store(first{})
	var wg sync.WaitGroup
	wg.Go(func() { active.Store(first{}) })
	if active.Load().(handler).serve() != 1 {
		panic("wrong answer")
	}
	wg.Wait()
}
