// Data race, interface: the handler is replaced while it is called.
package main

import "sync"

type handler interface{ serve() int }

type first struct{}

func (first) serve() int { return 1 }

var active handler = first{}

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { active = first{} })
	if active.serve() != 1 {
		panic("wrong answer")
	}
	wg.Wait()
}
