// Data race, pointer: the settings are replaced while requests read them.
package main

import "sync"

type settings struct{ limit int }

var current = &settings{limit: 1}

func reload(n int) { current = &settings{limit: n} }

func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 3 {
				if current.limit < 1 {
					panic("no limit")
				}
			}
		})
	}
	reload(2)
	wg.Wait()
}
