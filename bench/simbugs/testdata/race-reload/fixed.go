// Data race, pointer: the settings are an atomic pointer.
package main

import (
	"sync"
	"sync/atomic"
)

type settings struct{ limit int }

var current atomic.Pointer[settings]

func reload(n int) { current.Store(&settings{limit: n}) }

func main() {
	reload(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 3 {
				if current.Load().limit < 1 {
					panic("no limit")
				}
			}
		})
	}
	reload(2)
	wg.Wait()
}
